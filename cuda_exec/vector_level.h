#pragma once

#include <cstdint>

namespace reducelab {

/// Instruction sets that kernels are compiled for, in increasing order; `baseline` is the
/// compiler's default. Results are the same bits at every level (nothing is contracted or
/// reordered).
enum class VectorLevel : std::uint8_t { baseline, avx2, avx512 };

/// The highest level that this processor has.
inline VectorLevel best_vector_level() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return VectorLevel::avx512;
  }
  if (__builtin_cpu_supports("avx2")) return VectorLevel::avx2;
#endif
  return VectorLevel::baseline;
}

// `flatten` inlines all that the kernel calls, so that it is compiled for the level too. (The
// compiler's own target_clones would do this in one line, but crash under ThreadSanitizer.)
#if defined(__x86_64__)
template <auto kernel, class... Arguments>
__attribute__((flatten, target("avx2"))) void run_avx2(Arguments... arguments) {
  kernel(arguments...);
}
template <auto kernel, class... Arguments>
__attribute__((flatten, target("avx512f,avx512bw,avx512dq,avx512vl"))) void run_avx512(
    Arguments... arguments) {
  kernel(arguments...);
}
#endif
template <auto kernel, class... Arguments>
__attribute__((flatten)) void run_baseline(Arguments... arguments) {
  kernel(arguments...);
}

/// Calls `kernel(arguments...)`, a function of the same source file, compiled for `level`, which
/// the processor must have. Pass pointers, not references: arguments are copied.
template <auto kernel, class... Arguments>
void run_kernel(VectorLevel level, Arguments... arguments) {
#if defined(__x86_64__)
  if (level == VectorLevel::avx512) return run_avx512<kernel>(arguments...);
  if (level == VectorLevel::avx2) return run_avx2<kernel>(arguments...);
#endif
  static_cast<void>(level);
  run_baseline<kernel>(arguments...);
}

}  // namespace reducelab
