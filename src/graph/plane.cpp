#include "graph/plane.hpp"

#include <algorithm>

#include "graph/limits.hpp"

namespace antipode {

namespace {

// The prime of which q is a power, or 0.
Vertex prime_of(Vertex q) {
  if (q < 2) return 0;
  Vertex p = 2;
  while (q % p != 0) p = std::uint64_t{p} * p <= q ? p + 1 : q;
  while (q % p == 0) q /= p;
  return q == 1 ? p : 0;
}

// The field of q = p^k elements: polynomials over the integers modulo p, written as numbers with
// digits to the base p, modulo an irreducible polynomial of degree k.
class Field {
 public:
  explicit Field(Vertex q) : q_(q), p_(prime_of(q)), products_(std::size_t{q} * q) {
    for (Vertex rest = 0; rest < q && !fill_products(rest); ++rest) {
    }
  }

  Vertex sum(Vertex a, Vertex b) const {
    Vertex result = 0;
    for (Vertex unit = 1; unit < q_; unit *= p_) result += (a / unit + b / unit) % p_ * unit;
    return result;
  }
  Vertex negative(Vertex a) const { return times(p_ - 1, a); }
  Vertex product(Vertex a, Vertex b) const { return products_[std::size_t{a} * q_ + b]; }

 private:
  // A digit times a polynomial.
  Vertex times(Vertex digit, Vertex a) const {
    Vertex result = 0;
    for (Vertex unit = 1; unit < q_; unit *= p_)
      result += static_cast<Vertex>(std::uint64_t{digit} * (a / unit % p_) % p_) * unit;
    return result;
  }
  // Times x, with x^k = `rest`.
  Vertex shifted(Vertex a, Vertex rest) const {
    const Vertex top = q_ / p_;
    return sum(a % top * p_, times(a / top, rest));
  }
  // False if a product of nonzero elements is 0: x^k - rest is reducible.
  bool fill_products(Vertex rest) {
    for (Vertex a = 0; a < q_; ++a)
      for (Vertex b = 0; b < q_; ++b) {
        Vertex result = 0;
        for (Vertex unit = q_ / p_; unit > 0; unit /= p_)
          result = sum(unit == q_ / p_ ? 0 : shifted(result, rest), times(a / unit % p_, b));
        if (result == 0 && a != 0 && b != 0) return false;
        products_[std::size_t{a} * q_ + b] = result;
      }
    return true;
  }

  Vertex q_, p_;
  std::vector<Vertex> products_;
};

// Point (1, x, y) has number xq + y, (0, 1, x) has q² + x, and (0, 0, 1) is the last. Line [c, b,
// a], whose points (u, v, w) have au + bv + cw = 0, is numbered likewise. So the last line holds
// the last q + 1 points, and the last point lies on the last q + 1 lines.
class Plane {
 public:
  explicit Plane(Vertex q) : field_(q), q_(q) {}

  std::vector<Vertex> on(Vertex line) const {
    std::vector<Vertex> points;
    if (line < q_ * q_) {
      const Vertex b = line / q_, a = line % q_;
      for (Vertex v = 0; v < q_; ++v)
        points.push_back(v * q_ + field_.negative(field_.sum(a, field_.product(b, v))));
      points.push_back(q_ * q_ + field_.negative(b));
      return points;
    }
    const Vertex a = line - q_ * q_;
    for (Vertex w = 0; w < q_; ++w)
      points.push_back(a < q_ ? field_.negative(a) * q_ + w : q_ * q_ + w);
    points.push_back(q_ * q_ + q_);
    return points;
  }

 private:
  Field field_;
  Vertex q_;
};

}  // namespace

Vertex plane_order(Vertex degree) {
  return static_cast<Vertex>(2 * (std::uint64_t{degree} * (degree - 1) + 1));
}

// If one to three vertices are left out, some points or lines have no partner: see plane_edges.
Distance plane_diameter(Vertex order, Vertex degree) {
  const Vertex left_out = plane_order(degree) - order;
  return left_out == 0 || left_out >= 4 ? 3 : 4;
}

bool has_plane(Vertex order, Vertex degree) {
  return degree <= kMaxPlaneDegree && degree > 2 && prime_of(degree - 1) != 0 &&
         order <= plane_order(degree) && order >= plane_order(degree) - 2 * degree;
}

// Leaves out the last points and lines. Two points of a missing line were joined by it alone. Each
// is now joined to a point of another missing line. That point still shares a line with the other
// points of the first: three steps. Lines likewise. If fewer than four vertices are left out there
// is no other missing line, and the distance is four.
std::vector<Edge> plane_edges(Vertex order, Vertex degree) {
  const Vertex whole = plane_order(degree) / 2, lost = 2 * whole - order,
               points = whole - (lost + 1) / 2, lines = whole - lost / 2;
  const Plane plane(degree - 1);
  std::vector<Edge> edges;
  std::vector<Vertex> lonely_points, lonely_lines;  // by the line or point that they miss
  std::vector<std::vector<Vertex>> missing(whole - points);
  edges.reserve(std::size_t{order} * degree / 2 + degree);
  for (Vertex line = 0; line < whole; ++line) {
    stop_if_asked();
    for (const Vertex point : plane.on(line)) {
      if (line < lines && point < points)
        edges.push_back({point, points + line});
      else if (point < points)
        lonely_points.push_back(point);
      else if (line < lines)
        missing[point - points].push_back(points + line);
    }
  }
  for (const auto& some : missing)
    lonely_lines.insert(lonely_lines.end(), some.begin(), some.end());
  for (const auto& lonely : {lonely_points, lonely_lines})
    for (std::size_t i = 0, half = lonely.size() / 2; i < half; ++i)
      edges.push_back({lonely[i], lonely[i + half]});
  return edges;
}

}  // namespace antipode
