# The program alone, for CPUs, in a small image:
#   docker build -t antipode .
#   docker run --rm -v "$PWD:/data" antipode diameter web.mtx.gz
FROM debian:bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends \
      cmake dpkg-dev g++ libcli11-dev libexpat1-dev libfmt-dev libzstd-dev make ninja-build \
      nlohmann-json3-dev opencl-headers zlib1g-dev \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN rm -rf build && scripts/package deb

FROM debian:bookworm-slim
RUN --mount=type=bind,from=build,source=/source/build/packages,target=/packages \
    apt-get update && apt-get install -y --no-install-recommends /packages/antipode_*.deb \
 && rm -rf /var/lib/apt/lists/*
RUN useradd --create-home antipode
USER antipode
WORKDIR /data
ENTRYPOINT ["antipode"]
