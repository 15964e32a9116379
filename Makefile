# SPDX-License-Identifier: MIT
# The two commands are `make run` and `make test`. Each installs what it needs on a fresh Debian 12
# (with root), builds, and does its job.

JOBS ?= $(shell nproc)
.DEFAULT_GOAL := help
MINUTES ?= 10
# CPU minutes that `make run` compiles in a fresh clone, without ccache.
FIRST_BUILD := 10
SEED ?= $(shell date +%s)
# A clone elsewhere finds what this one compiled.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := true
.PHONY: help setup build run test weight docs deb test-deb check-deep chaos asan tsan asan-node tsan-node asan-ns3 debug bench bench-node bench-ns3 bench-view complexity fingerprints headers modules format lint clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install what is needed from Debian's archive
	@scripts/setup

build: setup ## build the programs and all tests; the program is build/bellwether
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j $(JOBS)

run: setup ## watch an election in a network whose links and nodes come and go
	@[ -x build/bellwether ] || echo "make run: the first build compiles for about $(FIRST_BUILD) minutes of CPU time, on $(JOBS) cores; later ones take seconds"
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j $(JOBS) --target bellwether bellwether-node
	build/bellwether run scenarios/dynamic-network.toml --set network.nodes=20000 --set churn.rate=2000 --progress

test: build ## build and run all tests
	@ctest --preset release -j $(JOBS)
	@scripts/weight --total

weight: ## what the last build cost to compile, by kind of unit, and its heaviest units
	@scripts/weight

docs: build ## the documents as a site: build/site/index.html
	@scripts/setup docs
	@scripts/docs

deb: ## Debian packages, in build-deb/packages
	@scripts/setup deb
	@cmake --preset deb >/dev/null
	@cmake --build --preset deb -j $(JOBS)
	@cd build-deb && cpack >/dev/null && ls packages/*.deb

test-deb: deb ## the packages in a fresh Debian, and a group of three machines with systemd; root, minutes
	@tests/packages/packages.sh build-deb
	@tests/packages/deployment.sh build-deb

check-deep: build ## larger searches, and the most central node of 100,000 graphs and more against plain ones; minutes
	@cmake --build --preset release -j $(JOBS) --target deep_test deep_searches
	@build/deep_test
	@build/deep_searches

chaos: build ## daemons in drawn networks with drawn faults: make chaos MINUTES=10 SEED=7
	@build/node_chaos --minutes $(MINUTES) --seed $(SEED)

asan: setup ## all tests with the address and undefined-behaviour sanitizers
	@cmake --preset asan >/dev/null && cmake --build --preset asan -j $(JOBS) && ctest --preset asan -j $(JOBS)

tsan: setup ## all tests with the thread sanitizer
	@cmake --preset tsan >/dev/null && cmake --build --preset tsan -j $(JOBS) && ctest --preset tsan -j $(JOBS)

asan-node: build ## the daemon with the address and undefined-behaviour sanitizers, through its tests
	@cmake --preset asan >/dev/null && cmake --build --preset asan -j $(JOBS) --target bellwether-node node_test client_test operate_test
	@BELLWETHER_NODE_PROGRAM=build-asan/bellwether-node build/node_suite_test
	@build-asan/node_test && build-asan/client_test && build-asan/operate_test

tsan-node: build ## the daemon with the thread sanitizer, through its tests
	@cmake --preset tsan >/dev/null && cmake --build --preset tsan -j $(JOBS) --target bellwether-node client_test
	@BELLWETHER_NODE_PROGRAM=build-tsan/bellwether-node build/node_suite_test
	@build-tsan/client_test

asan-ns3: setup ## elections on ns-3 with the address and undefined-behaviour sanitizers
	@cmake --preset asan >/dev/null && cmake --build --preset asan -j $(JOBS) --target air_test ns3_test
	@build-asan/air_test && build-asan/ns3_test

debug: setup ## a debug build, in build-debug
	@cmake --preset debug >/dev/null && cmake --build --preset debug -j $(JOBS)

bench: ## speed and memory, as ratios against hand-written loops, other libraries and Spin
	@scripts/setup bench || echo "bench: without igraph and Spin; their columns and rows stay empty" >&2
	@$(MAKE) --no-print-directory build
	@cmake --build --preset release -j $(JOBS) --target benchmarks
	@failed=; for each in "" _central _check _node; do \
	  build/bellwether_bench$$each || failed="$$failed bellwether_bench$$each"; \
	done; \
	[ -z "$$failed" ] || { echo "bench: failed:$$failed; the sentences are above" >&2; exit 1; }

bench-ns3: build ## what the adapter to ns-3 costs, and csma beside ns-3 on the same traffic; minutes
	@cmake --build --preset release -j $(JOBS) --target bellwether_ns3_bench bellwether_ns3_calibrate
	@build/bellwether_ns3_bench
	@build/bellwether_ns3_calibrate

bench-view: build ## how long a picture in the browser takes, with 60 to 20,000 nodes
	@node bench/view.mjs

bench-node: ## the daemon against its promises and against keepalived
	@scripts/setup bench || echo "bench: without keepalived; its rows stay empty" >&2
	@$(MAKE) --no-print-directory build
	@cmake --build --preset release -j $(JOBS) --target bellwether_bench_node
	@build/bellwether_bench_node

complexity: build ## count what the classical elections cost, and write docs/complexity.md and its pictures anew; minutes
	@cmake --build --preset release -j $(JOBS) --target bellwether_complexity
	@build/bellwether_complexity docs

fingerprints: build ## write tests/fingerprints/table.csv anew, after a change that is meant to change runs
	@build/fingerprints_test --write

headers: setup ## compile each public header alone; minutes
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j $(JOBS) --target headers

modules: ## draw docs/modules.svg anew: the modules, and who includes whom
	@scripts/modules

format: ## format all sources
	@git ls-files '*.hpp' '*.cpp' '*.inl' | xargs clang-format -i

lint: build ## clang-tidy over the sources
	@mkdir -p build/lint  # clang does not read precompiled headers of g++
	@sed 's/ -Winvalid-pch -include [^ ]*cmake_pch.hxx//; s/ -fpch-preprocess//' build/compile_commands.json >build/lint/compile_commands.json
	@git ls-files 'src/*.cpp' 'apps/*.cpp' | grep -v _test.cpp | xargs -P $(JOBS) -n 4 clang-tidy -p build/lint --quiet

clean: ## remove all build folders
	@rm -rf build build-asan build-tsan build-debug build-deb
