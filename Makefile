# Thin names over the presets. On a fresh Debian or Ubuntu everything needed is installed first.
BUILD := build/release
# The program alone, without CUDA and OpenCL: what the demo needs, built in the shortest time. `make test` builds the engines
# that the machine has tools for, and `make install` installs them.
DEMO := build/demo
INSTALL := build/install
PREFIX ?= /usr/local
.PHONY: deb tarball demo test test-networkx test-opencl wheel docs bench build install deps asan tsan tidy fuzz clean

deps:
	@scripts/install-deps tests

build: deps
	@cmake --preset release > $(BUILD)-configure.log 2>&1 || { cat $(BUILD)-configure.log; exit 1; }
	@cmake --build --preset release

demo:
	@scripts/install-deps program
	@cmake --preset demo > $(DEMO)-configure.log 2>&1 || { cat $(DEMO)-configure.log; exit 1; }
	@cmake --build --preset demo
	@scripts/demo $(DEMO)/antipode

# The program, the library and its headers; CUDA for all architectures where there is a CUDA compiler. make install PREFIX=$HOME/.local
install:
	@scripts/install-deps program
	@cmake --preset install > $(INSTALL)-configure.log 2>&1 || { cat $(INSTALL)-configure.log; exit 1; }
	@cmake --build --preset install
	@cmake --install $(INSTALL) --prefix $(PREFIX)

# A package for Debian or Ubuntu of this release: in build/packages.
deb:
	@scripts/package deb

# The program for Linux with this machine's C library or a later one; nothing else is needed.
tarball:
	@scripts/package tarball

test: build
	@ctest --preset release

# All of NetworkX's own tests through the backend: minutes.
test-networkx: build
	@tests/python/networkx_own.sh $(BUILD)/python all

# All rounds of the contract suite with OpenCL, of which `make test` takes a quarter: minutes.
test-opencl: build
	@ANTIPODE_ALL_ROUNDS=1 ctest --preset release -R opencl

# A wheel for other machines, tried in a fresh environment.
wheel: deps
	@scripts/wheel

# The documentation site, in build/docs/html; with the reference of Python if the module was built.
docs: deps
	@PYTHONDONTWRITEBYTECODE=1 .venv/bin/python docs/_site/build.py build/docs $(BUILD)/python

bench: build
	@scripts/bench

asan tsan: deps
	cmake --preset $@ && cmake --build --preset $@ && ctest --preset $@

# Checks of clang-tidy on the rooms that face the user.
tidy: deps
	@scripts/tidy

# A few minutes of every fuzz target: make fuzz SECONDS_EACH=180
SECONDS_EACH ?= 60
fuzz: deps
	@scripts/fuzz $(SECONDS_EACH)

clean:
	rm -rf build
