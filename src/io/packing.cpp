#include "io/packing.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <string>

#include "antipode/error.hpp"
#include "graph/limits.hpp"

namespace antipode {

namespace {

constexpr std::size_t kPiece = 1 << 20;

class GzipPacker final : public Packer {
 public:
  GzipPacker() {
    if (deflateInit2(&state_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK)
      throw DeviceError("zlib could not start");
  }
  ~GzipPacker() override { deflateEnd(&state_); }
  GzipPacker(const GzipPacker&) = delete;
  GzipPacker& operator=(const GzipPacker&) = delete;

 private:
  void step(std::string_view text, Part part, const Sink& sink) override {
    state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    state_.avail_in = static_cast<uInt>(text.size());
    do {
      state_.next_out = reinterpret_cast<Bytef*>(out_.data());
      state_.avail_out = static_cast<uInt>(out_.size());
      deflate(&state_, part == Part::last ? Z_FINISH : Z_NO_FLUSH);
      sink(std::string_view(out_).substr(0, out_.size() - state_.avail_out));
    } while (state_.avail_out == 0);
  }

  std::string out_ = std::string(kPiece, '\0');
  z_stream state_{};
};

class ZstdPacker final : public Packer {
 public:
  ZstdPacker() : state_(ZSTD_createCCtx()) {
    if (state_ == nullptr) throw DeviceError("zstd could not start");
    ZSTD_CCtx_setParameter(state_, ZSTD_c_checksumFlag, 1);
  }
  ~ZstdPacker() override { ZSTD_freeCCtx(state_); }
  ZstdPacker(const ZstdPacker&) = delete;
  ZstdPacker& operator=(const ZstdPacker&) = delete;

 private:
  void step(std::string_view text, Part part, const Sink& sink) override {
    ZSTD_inBuffer in{text.data(), text.size(), 0};
    for (bool more = true; more;) {
      ZSTD_outBuffer out{out_.data(), out_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(
          state_, &out, &in, part == Part::last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left) != 0)
        throw DeviceError(std::string("zstd cannot pack: ") + ZSTD_getErrorName(left));
      sink(std::string_view(out_).substr(0, out.pos));
      more = part == Part::last ? left != 0 : in.pos < in.size;
    }
  }

  std::string out_ = std::string(kPiece, '\0');
  ZSTD_CCtx* state_;
};

}  // namespace

void Packer::pack(std::string_view text, const Sink& sink) {
  for (; !text.empty(); text.remove_prefix(std::min(kPiece, text.size()))) {
    stop_if_asked();
    step(text.substr(0, kPiece), Part::inner, sink);
  }
}

std::unique_ptr<Packer> packer_for(std::string_view path) {
  if (path.ends_with(".gz")) return std::make_unique<GzipPacker>();
  if (path.ends_with(".zst")) return std::make_unique<ZstdPacker>();
  return nullptr;
}

}  // namespace antipode
