#include <cstring>
#include <functional>

#include "core/error.h"
#include "cuda_exec/cpu_kernels.h"
#include "cuda_exec/reducer.h"

namespace reducelab {
namespace {

constexpr int max_divisor = 1 << 24;  // the largest up to which every integer is a float32

void require_whole_elements(DataType type, std::size_t bytes) {
  if (bytes % static_cast<std::size_t>(size_of(type)) != 0) {
    throw Error(ErrorCode::bug,
                fmt::format("reducer: {} bytes are not a whole number of {} elements of {} bytes",
                            bytes, name_of(type), size_of(type)));
  }
}

void require_separate(std::span<const std::byte> dst, std::span<const std::byte> src) {
  if (dst.size() != src.size()) {
    throw Error(ErrorCode::bug, fmt::format("reducer: destination has {} bytes, source has {}",
                                            dst.size(), src.size()));
  }
  const std::less<> before;  // `<` alone is not defined for pointers into different buffers
  if (before(dst.data(), src.data() + src.size()) && before(src.data(), dst.data() + dst.size())) {
    throw Error(ErrorCode::bug,
                fmt::format("reducer: source and destination of {} bytes overlap", dst.size()));
  }
}

class CpuReducer final : public Reducer {
 public:
  std::string_view name() const override { return "cpu"; }

  void accumulate(DataType type, ReduceOp op, std::span<std::byte> dst,
                  std::span<const std::byte> src) override {
    require_whole_elements(type, dst.size());
    require_separate(dst, src);
    accumulate_unchecked(type, op, dst, src);
  }

  void divide(DataType type, std::span<std::byte> dst, int divisor) override {
    require_whole_elements(type, dst.size());
    if (divisor < 1 || divisor > max_divisor) {
      throw Error(ErrorCode::bug,
                  fmt::format("reducer: divisor {} is not within 1 to {}", divisor, max_divisor));
    }
    divide_elements(level_, type, dst.data(), dst.size() / static_cast<std::size_t>(size_of(type)),
                    divisor);
  }

  void copy(std::span<std::byte> dst, std::span<const std::byte> src) override {
    require_separate(dst, src);
    copy_unchecked(dst, src);
  }

  void run_batch(DataType type, ReduceOp op, std::span<const Operation> operations) override {
    for (const Operation& operation : operations) {
      if (operation.kind == Kind::accumulate) require_whole_elements(type, operation.dst.size());
      require_separate(operation.dst, operation.src);
    }
    for (const Operation& operation : operations) {
      if (operation.kind == Kind::copy) {
        copy_unchecked(operation.dst, operation.src);
      } else {
        accumulate_unchecked(type, op, operation.dst, operation.src);
      }
    }
  }

 private:
  void accumulate_unchecked(DataType type, ReduceOp op, std::span<std::byte> dst,
                            std::span<const std::byte> src) const {
    accumulate_elements(level_, type, op, dst.data(), src.data(),
                        dst.size() / static_cast<std::size_t>(size_of(type)));
  }
  static void copy_unchecked(std::span<std::byte> dst, std::span<const std::byte> src) {
    if (!dst.empty()) std::memcpy(dst.data(), src.data(), dst.size());
  }

  const VectorLevel level_ = best_vector_level();
};

}  // namespace

std::unique_ptr<Reducer> make_cpu_reducer() {
  return std::make_unique<CpuReducer>();
}

}  // namespace reducelab
