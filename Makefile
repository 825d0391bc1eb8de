# Thin names over the presets. On a fresh Debian or Ubuntu everything needed is installed first.
BUILD := build/release
.PHONY: demo test bench build deps asan tsan tidy fuzz clean

deps:
	@scripts/install-deps

build: deps
	@cmake --preset release > $(BUILD)-configure.log 2>&1 || { cat $(BUILD)-configure.log; exit 1; }
	@cmake --build --preset release

demo: build
	@scripts/demo $(BUILD)/antipode

test: build
	@ctest --preset release

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
