#include <benchmark/benchmark.h>

#include <numeric>
#include <vector>

#include "core/data_type.h"
#include "cuda_exec/reducer.h"
#include "cuda_exec/reference.h"
#include "cuda_exec/sample_data.h"

namespace reducelab {
namespace {

constexpr std::int64_t small_bytes = 4 << 10;
constexpr std::int64_t large_bytes = 64 << 20;

std::vector<std::byte> sample(DataType type, std::int64_t bytes, int rank) {
  std::vector<std::byte> data(static_cast<std::size_t>(bytes));
  fill(type, ReduceOp::max, 1, rank, 0, data);
  return data;
}

/// Shows the rate in GB/s (1e9 bytes of one operand per second).
void report_rate(benchmark::State& state) {
  state.counters["GB"] = benchmark::Counter(static_cast<double>(state.range(0)) * 1e-9,
                                            benchmark::Counter::kIsIterationInvariantRate);
}

void copy(benchmark::State& state) {
  const auto reducer = make_cpu_reducer();
  auto dst = sample(DataType::float32, state.range(0), 0);
  const auto src = sample(DataType::float32, state.range(0), 1);
  for (auto _ : state) {
    reducer->copy(dst, src);
    benchmark::ClobberMemory();
  }
  report_rate(state);
}
BENCHMARK(copy)->Arg(small_bytes)->Arg(large_bytes);

// `max` keeps values in range however often it is repeated, `sum` shows the common case.
void accumulate(benchmark::State& state, DataType type, ReduceOp op) {
  const auto reducer = make_cpu_reducer();
  auto dst = sample(type, state.range(0), 0);
  const auto src = sample(type, state.range(0), 1);
  for (auto _ : state) {
    reducer->accumulate(type, op, dst, src);
    benchmark::ClobberMemory();
  }
  report_rate(state);
}
BENCHMARK_CAPTURE(accumulate, float_sum, DataType::float32, ReduceOp::sum)
    ->Arg(small_bytes)
    ->Arg(large_bytes);
BENCHMARK_CAPTURE(accumulate, float_max, DataType::float32, ReduceOp::max)
    ->Arg(small_bytes)
    ->Arg(large_bytes);
BENCHMARK_CAPTURE(accumulate, bfloat16_sum, DataType::bfloat16, ReduceOp::sum)
    ->Arg(small_bytes)
    ->Arg(large_bytes);
BENCHMARK_CAPTURE(accumulate, half_sum, DataType::float16, ReduceOp::sum)
    ->Arg(small_bytes)
    ->Arg(large_bytes);
BENCHMARK_CAPTURE(accumulate, f8e4m3_sum, DataType::fp8_e4m3, ReduceOp::sum)
    ->Arg(small_bytes)
    ->Arg(large_bytes);

void fill_samples(benchmark::State& state, DataType type, ReduceOp op) {
  std::vector<std::byte> out(1 << 16);
  for (auto _ : state) {
    fill(type, op, 1, 0, 0, out);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(out.size()) /
                          size_of(type));
}
BENCHMARK_CAPTURE(fill_samples, float_sum, DataType::float32, ReduceOp::sum);
BENCHMARK_CAPTURE(fill_samples, double_sum, DataType::float64, ReduceOp::sum);
BENCHMARK_CAPTURE(fill_samples, half_sum, DataType::float16, ReduceOp::sum);

// 256 ranks of 1 MiB of float32: 67 million samples.
void reference_of_256_ranks(benchmark::State& state, DataType type) {
  std::vector<int> ranks(256);
  std::iota(ranks.begin(), ranks.end(), 0);
  for (auto _ : state) {
    benchmark::DoNotOptimize(reference_reduction(type, ReduceOp::sum, 1, ranks, 0, 1 << 18));
  }
  state.SetItemsProcessed(state.iterations() * (256 << 18));
}
BENCHMARK_CAPTURE(reference_of_256_ranks, float, DataType::float32)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(reference_of_256_ranks, half, DataType::float16)->Unit(benchmark::kMillisecond);

void compare_with_reference(benchmark::State& state, DataType type) {
  const std::vector<int> ranks{0};
  const Reference reference = reference_reduction(type, ReduceOp::sum, 1, ranks, 0, 1 << 18);
  std::vector<std::byte> result((std::size_t{1} << 18) * static_cast<std::size_t>(size_of(type)));
  fill(type, ReduceOp::sum, 1, 0, 0, result);
  for (auto _ : state) benchmark::DoNotOptimize(compare(reference, result));
  state.SetItemsProcessed(state.iterations() * (1 << 18));
}
BENCHMARK_CAPTURE(compare_with_reference, float, DataType::float32);

}  // namespace
}  // namespace reducelab
