// Textures: as Standard, but E is read through the texture units, whose cache is made for
// neighbouring addresses.
#include "antipode/error.hpp"
#include "engine/cuda/paper/variant.hpp"

namespace antipode::cuda {

namespace {

struct TextureList {
  cudaTextureObject_t texture;
  int first;
  __device__ Vertex operator[](Vertex j) const {
    return tex1Dfetch<Vertex>(texture, first + static_cast<int>(j));
  }
};

// E as a texture; a texture holds fewer entries than 31 bits count.
template <class Lists>
struct TextureView {
  Vertex order;
  Lists lists;
  cudaTextureObject_t texture;
  __device__ TextureList begin(Vertex v) const {
    return {texture, static_cast<int>(lists.begin(v) - lists.entries)};
  }
  __device__ Vertex size(Vertex v) const { return lists.size(v); }
};

class Textures final : public Variant {
 public:
  Textures(const Context& context, const PaddedGraph& graph) : context_(context), graph_(graph) {
    int device = 0, most = 0;
    check(cudaGetDevice(&device), "choosing a GPU");
    check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxTexture1DLinearWidth, device),
          "asking for the size of textures");
    if (graph.entries() > static_cast<std::size_t>(most))
      throw DeviceError("the textures kernel holds at most " + std::to_string(most) +
                        " list entries on this GPU, and the padded graph has " +
                        std::to_string(graph.entries()) + ": choose another --kernel");
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = const_cast<Vertex*>(graph.lists().entries);
    resource.res.linear.desc = cudaCreateChannelDesc<Vertex>();
    resource.res.linear.sizeInBytes = graph.entries() * sizeof(Vertex);
    cudaTextureDesc description{};
    description.readMode = cudaReadModeElementType;
    check(cudaCreateTextureObject(&texture_, &resource, &description, nullptr),
          "creating a texture");
  }
  ~Textures() override { cudaDestroyTextureObject(texture_); }

  void level(Distance* F, Distance level, const LevelReport&, LevelReport* report) override {
    graph_.visit([&](const auto& lists) {
      thread_level(context_,
                   TextureView<std::decay_t<decltype(lists)>>{lists.order, lists, texture_}, F,
                   level, report);
    });
  }

 private:
  const Context& context_;
  const PaddedGraph& graph_;
  cudaTextureObject_t texture_ = 0;
};

}  // namespace

std::unique_ptr<Variant> textures(const Context& context, const PaddedGraph& graph) {
  return std::make_unique<Textures>(context, graph);
}

}  // namespace antipode::cuda
