// The lane kernels, compiled once for each instruction set. Included inside a namespace and a
// region of target options, after all headers: this file must not include any.

template <unsigned kWords>
struct WordOf {
  typedef std::uint64_t type __attribute__((vector_size(kWords * 8)));
};

template <unsigned kWords>
class Kernel final : public LaneKernel {
  using Word = typename WordOf<kWords>::type;

 public:
  explicit Kernel(const LaneMachine& machine)
      : machine_(machine),
        graph_(machine_.graph.adjacency()),
        into_(machine_.graph.into().adjacency()),
        order_(graph_.order()),
        seen_(order_),
        next_(order_),
        arrived_(order_),
        vertices_(order_),
        unsaturated_(order_),
        touched_(order_) {
    for (Vertex v = 0; v < order_; ++v) next_[v] = Word{}, touched_[v] = 0;
  }

  void summarize(std::span<const Vertex> sources, std::span<Summary> summaries) override {
    for (auto& summary : summaries) summary = {0, 1, 0};
    count_each(sources, [&](std::size_t lane, Distance level, std::uint32_t count) {
      summaries[lane].eccentricity = level;
      summaries[lane].reached += count;
      summaries[lane].distance_sum += std::uint64_t{level} * count;
    });
  }

  void weighted_distribution(std::span<const Vertex> sources,
                             std::span<const Multiplicities> weights,
                             std::vector<std::uint64_t>& counts) override {
    for (const auto& each : weights) host::add_multiplied(each, 0, 1, counts);
    count_each(sources, [&](std::size_t lane, Distance level, std::uint32_t count) {
      host::add_multiplied(weights[lane], level, count, counts);
    });
  }

  void distribution(std::span<const Vertex> sources, std::vector<std::uint64_t>& counts) override {
    if (counts.empty()) counts.resize(1, 0);
    counts[0] += sources.size();
    std::vector<BitCount> arrived(static_cast<std::size_t>(machine_.threads));
    run(
        sources,
        [](Vertex, const Word&, const Word&, BitCount& mine, const Word& fresh) {
          mine.bits += bits_of(fresh);
        },
        arrived,
        [&](Distance level) {
          counts.resize(std::max<std::size_t>(counts.size(), level + std::size_t{1}), 0);
          for (BitCount& mine : arrived) counts[level] += std::exchange(mine.bits, 0);
          return true;
        });
    while (counts.size() > 1 && counts.back() == 0) counts.pop_back();
  }

  void add_distances(std::span<const Vertex> sources, DistanceSums& sums) override {
    for (const Vertex source : sources) ++sums.sources[source];
    std::vector<BitCount> nothing(static_cast<std::size_t>(machine_.threads));
    Distance now = 1;
    std::uint64_t inverse = inverse_of(now, sums.unit);
    run(
        sources,
        [&](Vertex v, const Word&, const Word&, BitCount&, const Word& fresh) {
          const std::uint64_t bits = bits_of(fresh);
          sums.sources[v] += static_cast<Vertex>(bits);
          sums.farthest[v] = std::max(sums.farthest[v], now);
          sums.sum[v] += now * bits;
          sums.inverse_sum[v] += inverse * bits;
        },
        nothing,
        [&](Distance level) {
          now = level + 1;
          inverse = inverse_of(now, sums.unit);
          return true;
        });
  }

  void find_farthest(std::span<const Vertex> sources,
                     const host::FarthestRequest& request) override {
    std::vector<Arrivals> arrivals(static_cast<std::size_t>(machine_.threads));
    for (auto& farthest : request.farthest) farthest = {};
    const Word all = lanes_of(sources.size());
    std::uint64_t waiting = 0;  // candidates that some lane has not reached
    for (const unsigned char mark : request.marks) waiting += mark & host::kMarkCandidate;
    if (sources.size() == 1 && (request.marks[sources[0]] & host::kMarkCandidate) != 0) --waiting;
    Distance now = 0;
    run(
        sources,
        [&](Vertex v, const Word& before, const Word& after, Arrivals& mine, const Word& fresh) {
          request.lower[v] = std::max(request.lower[v], now + 1);
          const unsigned char mark = request.marks[v];
          if ((mark & host::kMarkCandidate) == 0) return;
          mine.candidates |= fresh;
          if ((mark & host::kMarkOutside) != 0) mine.outside |= fresh;
          if (any(all & ~before) && !any(all & ~after)) ++mine.saturated;
        },
        arrivals,
        [&](Distance level) {
          Arrivals total{};
          for (Arrivals& mine : arrivals) {
            total.candidates |= mine.candidates, total.outside |= mine.outside,
                total.saturated += mine.saturated;
            mine = Arrivals{};
          }
          for (std::size_t lane = 0; lane < sources.size(); ++lane) {
            if (has(total.candidates, lane)) request.farthest[lane].candidates = level;
            if (has(total.outside, lane)) request.farthest[lane].outside = level;
          }
          now = level;
          return (waiting -= total.saturated) > 0;
        });
  }

 private:
  // Counts for each bit how many words had it set: plane k holds bit k of every count.
  struct alignas(64) Counter {
    Word planes[32] = {};
    unsigned used = 0;
    void add(Word lanes) {
      for (unsigned k = 0;; ++k) {
        used = std::max(used, k + 1);
        const Word carry = planes[k] & lanes;
        planes[k] ^= lanes;
        if (!any(carry)) return;
        lanes = carry;
      }
    }
    std::uint32_t count(std::size_t lane) const {
      std::uint32_t total = 0;
      for (unsigned k = 0; k < used; ++k)
        total |= static_cast<std::uint32_t>(has(planes[k], lane)) << k;
      return total;
    }
    void clear() {
      while (used > 0) planes[--used] = Word{};
    }
  };
  struct alignas(64) BitCount {
    std::uint64_t bits = 0;
  };
  struct alignas(64) Arrivals {
    Word candidates{}, outside{};
    std::uint64_t saturated = 0;
  };

  static bool any(const Word& word) {
#if defined(ANTIPODE_LANES_AVX512)
    if constexpr (kWords == 8) return _mm512_test_epi64_mask((__m512i)word, (__m512i)word) != 0;
#endif
#if defined(ANTIPODE_LANES_AVX2) || defined(ANTIPODE_LANES_AVX512)
    if constexpr (kWords == 4) return _mm256_testz_si256((__m256i)word, (__m256i)word) == 0;
#endif
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < kWords; ++i) sum |= word[i];
    return sum != 0;
  }
  static std::uint64_t bits_of(const Word& word) {
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < kWords; ++i)
      sum += static_cast<std::uint64_t>(__builtin_popcountll(word[i]));
    return sum;
  }
  static bool has(const Word& word, std::size_t lane) {
    return (reinterpret_cast<const std::uint64_t*>(&word)[lane / 64] >> lane % 64 & 1) != 0;
  }
  static Word lanes_of(std::size_t count) {
    Word word{};
    for (std::size_t lane = 0; lane < count; ++lane)
      word[lane / 64] |= std::uint64_t{1} << lane % 64;
    return word;
  }

  // report(lane, level, count) for every lane that reaches vertices at that level.
  template <class Report>
  void count_each(std::span<const Vertex> sources, Report report) {
    std::vector<Counter> counters(static_cast<std::size_t>(machine_.threads));
    run(
        sources,
        [](Vertex, const Word&, const Word&, Counter& counter, const Word& fresh) {
          counter.add(fresh);
        },
        counters,
        [&](Distance level) {
          for (std::size_t lane = 0; lane < sources.size(); ++lane) {
            std::uint32_t count = 0;
            for (const Counter& counter : counters) count += counter.count(lane);
            if (count != 0) report(lane, level, count);
          }
          for (Counter& counter : counters) counter.clear();
          return true;
        });
  }

  // Runs levels until nothing arrives or finish(level) returns false. fold(v, before, after, mine,
  // fresh) is called for every arrival, on any thread, with the state of that thread.
  template <class Fold, class State, class Finish>
  void run(std::span<const Vertex> sources, Fold fold, std::vector<State>& states, Finish finish) {
    const Word all = lanes_of(sources.size());
    start(sources);
    bool listed = false;
    EdgeOffset unsaturated_arcs = graph_.arcs();
    for (Distance level = 1; count_ > 0; ++level) {
      if (machine_.interrupted()) throw Interrupted();
      if (arcs_ * 5 < unsaturated_arcs) {
        push();
      } else {
        if (!listed) list_unsaturated(all);
        listed = true;
        unsaturated_arcs = pull(all);
      }
      commit(fold, states);
      if (!finish(level)) return;
    }
  }

  void start(std::span<const Vertex> sources) {
    in_chunks(order_, machine_.threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) seen_[v] = Word{};
    });
    count_ = 0;
    for (std::size_t lane = 0; lane < sources.size(); ++lane) {
      const Vertex v = sources[lane];
      if (!any(seen_[v])) vertices_[count_++] = v;
      seen_[v][lane / 64] |= std::uint64_t{1} << lane % 64;
    }
    arcs_ = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      arrived_[i] = seen_[vertices_[i]];
      arcs_ += graph_.degree(vertices_[i]);
    }
    packed_ = true;
  }

  // By one thread, or by several that write to the same words.
  template <bool kShared>
  void push_from(std::size_t i, std::vector<Vertex>& touched) {
    const Word lanes = arrived_[i];
    for (const Vertex u : graph_.neighbors(vertices_[i])) {
      const Word fresh = lanes & ~seen_[u];
      if (!any(fresh)) continue;
      if constexpr (kShared) {
        auto* words = reinterpret_cast<std::uint64_t*>(&next_[u]);
        for (unsigned w = 0; w < kWords; ++w)
          if (fresh[w] != 0)
            std::atomic_ref<std::uint64_t>(words[w]).fetch_or(fresh[w], std::memory_order_relaxed);
        if (relaxed_load(touched_[u]) == 0 &&
            std::atomic_ref<unsigned char>(touched_[u]).exchange(1, std::memory_order_relaxed) == 0)
          touched.push_back(u);
      } else {
        const Word before = next_[u];
        if (!any(before)) touched.push_back(u);
        next_[u] = before | fresh;
      }
    }
  }

  void push() {
    pack();
    const bool shared = machine_.threads > 1 && arcs_ >= kWorthThreads;
    std::vector<std::vector<Vertex>> touched(shared ? static_cast<std::size_t>(machine_.threads)
                                                    : 1);
    std::vector<std::size_t> places(touched.size());
    EdgeOffset arcs = 0;
    std::size_t total = 0;
    // The vertices that a thread has touched become its part of the arrivals.
    const auto collect = [&](std::size_t me) {
      EdgeOffset mine = 0;
      std::size_t place = places[me];
      for (const Vertex v : touched[me]) {
        vertices_[place] = v;
        arrived_[place++] = next_[v];
        next_[v] = Word{};
        touched_[v] = 0;
        mine += graph_.degree(v);
      }
      return mine;
    };
    if (!shared) {
      for (std::size_t i = 0; i < count_; ++i) push_from<false>(i, touched[0]);
      total = touched[0].size();
      arcs = collect(0);
    } else {
      std::atomic<std::size_t> next{0};
      constexpr std::size_t kTaken = 64;
      in_team(machine_.threads, [&](int member) {
        std::vector<Vertex> mine;  // on this thread's stack: no shared cache lines
        for (std::size_t begin;
             (begin = next.fetch_add(kTaken, std::memory_order_relaxed)) < count_;)
          for (std::size_t i = begin; i < std::min(begin + kTaken, count_); ++i)
            push_from<true>(i, mine);
        touched[static_cast<std::size_t>(member)] = std::move(mine);
      });
      for (std::size_t t = 0; t < touched.size(); ++t)
        places[t] = total, total += touched[t].size();
      in_shares(touched.size(), 1, machine_.threads, [&](std::size_t begin, std::size_t end, int) {
        for (std::size_t t = begin; t < end; ++t) relaxed_add(arcs, collect(t));
      });
    }
    count_ = total;
    arcs_ = arcs;
  }

  // Unsaturated vertices and arrivals are stored in pieces: piece p starts at p × kPiece and has
  // left_[p] or fresh_[p] entries. So every thread writes where it reads, and pieces are joined
  // only when a push needs one list.
  std::size_t pieces() const { return left_.size(); }

  void list_unsaturated(const Word& all) {
    left_.assign((order_ + kPiece - 1) / kPiece, 0);
    fresh_.assign(left_.size(), 0);
    for_each_piece(pieces() > 8, [&](std::size_t p, int) {
      std::size_t out = p * kPiece;
      const Vertex end = static_cast<Vertex>(std::min<std::size_t>(order_, (p + 1) * kPiece));
      for (Vertex v = static_cast<Vertex>(p * kPiece); v < end; ++v)
        if (any(all & ~seen_[v])) unsaturated_[out++] = v;
      left_[p] = out - p * kPiece;
    });
  }

  // work(piece, member). A thread tends to get the same pieces in every loop, so they are in its
  // cache.
  template <class Work>
  void for_each_piece(bool together, Work work) {
    in_shares(pieces(), 1, together ? machine_.threads : 1,
              [&](std::size_t begin, std::size_t end, int member) {
                for (std::size_t p = begin; p < end; ++p) work(p, member);
              });
  }

  // Returns the arcs of the vertices that are still unsaturated.
  EdgeOffset pull(const Word& all) {
    EdgeOffset all_left_arcs = 0, all_fresh_arcs = 0;
    std::size_t total = 0;
    for_each_piece(pieces() > 4, [&](std::size_t p, int) {
      EdgeOffset left_arcs = 0, fresh_arcs = 0;
      std::size_t out = p * kPiece, keep = p * kPiece;
      const std::size_t end = p * kPiece + left_[p];
      for (std::size_t i = p * kPiece; i < end; ++i) {
        const Vertex v = unsaturated_[i];
        const Word missing = all & ~seen_[v];
        if (!any(missing)) continue;
        unsaturated_[keep++] = v;
        const auto neighbours = into_.neighbors(v);
        left_arcs += neighbours.size();
        Word gathered{};
        for (const Vertex u : neighbours) {
          gathered |= seen_[u];
          if (!any(missing & ~gathered)) break;
        }
        gathered &= missing;
        if (!any(gathered)) continue;
        fresh_arcs += graph_.degree(v);
        vertices_[out] = v;
        arrived_[out++] = gathered;
      }
      fresh_[p] = out - p * kPiece;
      left_[p] = keep - p * kPiece;
      relaxed_add(all_left_arcs, left_arcs);
      relaxed_add(all_fresh_arcs, fresh_arcs);
      relaxed_add(total, fresh_[p]);
    });
    count_ = total;
    arcs_ = all_fresh_arcs;
    packed_ = false;
    return all_left_arcs;
  }

  void pack() {
    if (packed_) return;
    std::size_t out = 0;
    for (std::size_t p = 0; p < pieces(); ++p)
      for (std::size_t i = p * kPiece; i < p * kPiece + fresh_[p]; ++i)
        vertices_[out] = vertices_[i], arrived_[out++] = arrived_[i];
    packed_ = true;
  }

  template <class Fold, class State>
  void commit(Fold& fold, std::vector<State>& states) {
    const auto arrive = [&](std::size_t i, State& mine) {
      const Vertex v = vertices_[i];
      const Word before = seen_[v], fresh = arrived_[i], after = before | fresh;
      seen_[v] = after;
      fold(v, before, after, mine, fresh);
    };
    const bool together = count_ > kWorthThreads / 8;
    if (packed_) {
      in_shares(count_, kPiece, together ? machine_.threads : 1,
                [&](std::size_t begin, std::size_t end, int member) {
                  for (std::size_t i = begin; i < end; ++i)
                    arrive(i, states[static_cast<std::size_t>(member)]);
                });
    } else {
      for_each_piece(together, [&](std::size_t p, int member) {
        for (std::size_t i = p * kPiece; i < p * kPiece + fresh_[p]; ++i)
          arrive(i, states[static_cast<std::size_t>(member)]);
      });
    }
  }

  static constexpr std::size_t kPiece = 1024;

  const LaneMachine machine_;
  Adjacency graph_, into_;  // the second: for pulls
  const Vertex order_;
  Buffer<Word> seen_, next_, arrived_;     // next_ is zero outside a push
  Buffer<Vertex> vertices_, unsaturated_;  // arrived_[i] belongs to vertices_[i]
  Buffer<unsigned char> touched_;
  std::vector<std::size_t> left_, fresh_;
  std::size_t count_ = 0;  // arrivals of this level …
  EdgeOffset arcs_ = 0;    // … and their arcs
  bool packed_ = true;     // arrivals are one list from 0 on, not in pieces
};

std::unique_ptr<LaneKernel> kernel_of(const LaneMachine& machine, unsigned words) {
  if (words == 1) return std::make_unique<Kernel<1>>(machine);
  if (words == 4) return std::make_unique<Kernel<4>>(machine);
  return std::make_unique<Kernel<8>>(machine);
}
