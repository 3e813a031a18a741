#include "core/units.h"

#include <gmock/gmock.h>

#include <limits>

#include "core/error.h"

namespace reducelab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Sizes = std::vector<std::int64_t>;

/// The message of the usage Error that `action` throws.
template <class Action>
std::string complaint(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return "no error";
}

TEST(Units, BinaryAndDecimalSizesAreKeptApart) {
  EXPECT_EQ(parse_bytes("0"), 0);
  EXPECT_EQ(parse_bytes("4096"), 4096);
  EXPECT_EQ(parse_bytes("7B"), 7);
  EXPECT_EQ(parse_bytes("64KiB"), 65536);
  EXPECT_EQ(parse_bytes("64KB"), 64000);
  EXPECT_EQ(parse_bytes("1.5MB"), 1500000);
  EXPECT_EQ(parse_bytes("1.5 MiB"), 1572864);
  EXPECT_EQ(parse_bytes("1GiB"), std::int64_t{1} << 30);
  EXPECT_EQ(parse_bytes("2TB"), 2'000'000'000'000);
}

TEST(Units, DecimalFractionsThatAreWholeBytesAreTaken) {
  EXPECT_EQ(parse_bytes("1.001KB"), 1001);
  for (int thousandths = 0; thousandths < 5000; ++thousandths) {
    EXPECT_EQ(parse_bytes(fmt::format("{}.{:03}KB", thousandths / 1000, thousandths % 1000)),
              thousandths);
  }
  EXPECT_THAT(complaint([] { parse_bytes("1.0001KB"); }), HasSubstr("whole number of bytes"));
  EXPECT_THAT(complaint([] { parse_bytes("0.5"); }), HasSubstr("whole number of bytes"));
}

TEST(Units, SizesAreExactUpTo63BitsAndRefusedAbove) {
  EXPECT_EQ(parse_bytes("9007199254740993"), (std::int64_t{1} << 53) + 1);
  EXPECT_EQ(parse_bytes("9007199254740993B"), (std::int64_t{1} << 53) + 1);
  EXPECT_EQ(parse_bytes("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_THAT(complaint([] { parse_bytes("9223372036854775808"); }), HasSubstr("63 bits"));
  EXPECT_THAT(complaint([] { parse_bytes("8388608TiB"); }), HasSubstr("63 bits"));
  EXPECT_THAT(complaint([] { parse_bytes("1e300"); }), HasSubstr("63 bits"));
}

TEST(Units, TextThatIsNoSizeIsRefusedWithAnExample) {
  for (const char* text :
       {"", " ", "KiB", "64kib", "64Kib", "64KiBs", "1,5MB", "nan", "inf", "0x10", "1e999"}) {
    EXPECT_THAT(complaint([&] { parse_bytes(text); }),
                HasSubstr(fmt::format("cannot read \"{}\" as a size; write it like", text)));
  }
  EXPECT_EQ(complaint([] { parse_bytes("-1KiB"); }), "size must not be negative: \"-1KiB\"");
  EXPECT_EQ(complaint([] { parse_bytes("-1"); }), "size must not be negative: \"-1\"");
}

TEST(Units, BandwidthTellsBitsFromBytes) {
  EXPECT_EQ(parse_bandwidth("400Gbps"), 50e9);
  EXPECT_EQ(parse_bandwidth("50GBps"), 50e9);
  EXPECT_EQ(parse_bandwidth("1KiBps"), 1024);
  EXPECT_EQ(parse_bandwidth("8bps"), 1);
  EXPECT_THAT(complaint([] { parse_bandwidth("400Gb"); }), HasSubstr("400Gbps (bits)"));
  EXPECT_THAT(complaint([] { parse_bandwidth("400"); }), HasSubstr("as a bandwidth"));
  EXPECT_THAT(complaint([] { parse_bandwidth("-1Gbps"); }), HasSubstr("must not be negative"));
  EXPECT_THAT(complaint([] { parse_bandwidth("1e308TBps"); }), HasSubstr("too large"));
}

TEST(Units, DurationsAreTheNearestDoublesOfWhatIsWritten) {
  EXPECT_EQ(parse_duration("0"), 0);
  EXPECT_EQ(parse_duration("2s"), 2);
  EXPECT_EQ(parse_duration("1.5us"), 1.5e-6);
  EXPECT_EQ(parse_duration("250ps"), 250e-12);
  EXPECT_EQ(parse_duration("1h"), 3600);
  EXPECT_EQ(parse_duration("1.5min"), 90);
  for (int count = 1; count < 2000; ++count) {
    EXPECT_EQ(parse_duration(fmt::format("{}ns", count)), std::stod(fmt::format("{}e-9", count)));
    EXPECT_EQ(parse_duration(fmt::format("{}us", count)), std::stod(fmt::format("{}e-6", count)));
  }
  EXPECT_THAT(complaint([] { parse_duration("5"); }), HasSubstr("as a duration"));
  EXPECT_THAT(complaint([] { parse_duration("5days"); }), HasSubstr("1.5us"));
}

TEST(Units, SizeRangesIncludeBothEnds) {
  EXPECT_THAT(parse_sizes("1KiB:1MiB:x4"), ElementsAre(1024, 4096, 16384, 65536, 262144, 1048576));
  EXPECT_EQ(parse_sizes("1KiB:1GiB:x4").size(), 11u);
  EXPECT_THAT(parse_sizes("1:8"), ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(parse_sizes("1:9"), ElementsAre(1, 2, 4, 8));
  EXPECT_THAT(parse_sizes("0:64KiB:+16KiB"), ElementsAre(0, 16384, 32768, 49152, 65536));
  EXPECT_THAT(parse_sizes("5:5:x2"), ElementsAre(5));
  EXPECT_THAT(parse_sizes("1KiB,0,3"), ElementsAre(1024, 0, 3));
}

TEST(Units, AFactorNearOneGivesEverySizeOnce) {
  const Sizes sizes = parse_sizes("1:10:x1.1");
  EXPECT_THAT(sizes, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
}

TEST(Units, RangesAtTheTopOfTheScaleEnd) {
  EXPECT_THAT(parse_sizes("9223372036854775800:9223372036854775807:+4"),
              ElementsAre(9223372036854775800, 9223372036854775804));
  EXPECT_EQ(parse_sizes("1:9223372036854775807:x2").size(), 64u);
}

TEST(Units, BadSizeRangesSayWhatIsWrong) {
  const auto said = [](const char* text) { return complaint([&] { parse_sizes(text); }); };
  EXPECT_THAT(said("1MiB:1KiB:x2"), HasSubstr("ends below its start"));
  EXPECT_THAT(said("0:1KiB:x2"), HasSubstr("start over 0"));
  EXPECT_THAT(said("1:1KiB:x1"), HasSubstr("factor must be over 1"));
  EXPECT_THAT(said("1:1KiB:4"), HasSubstr("written x4 or +16KiB"));
  EXPECT_THAT(said("1:1KiB:+0"), HasSubstr("step of 0"));
  EXPECT_THAT(said("0:1TiB:+1"), HasSubstr("too many points"));
  EXPECT_THAT(said("1:1TiB:x1.0000001"), HasSubstr("too many points"));
  EXPECT_THAT(said("1:2:x2:x3"), HasSubstr("factor must be over 1"));
  EXPECT_THAT(said("1KiB,,2KiB"), HasSubstr("cannot read \"\" as a size"));
  EXPECT_THAT(said(""), HasSubstr("cannot read \"\" as a size"));
}

TEST(Units, FormattedSizesReadBackAsTheSameNumber) {
  EXPECT_EQ(format_bytes(65536), "64KiB");
  EXPECT_EQ(format_bytes(1000), "1000B");
  EXPECT_EQ(format_bytes(0), "0B");
  for (std::int64_t bytes = 1; bytes < (std::int64_t{1} << 60); bytes = bytes * 3 + 1) {
    EXPECT_EQ(parse_bytes(format_bytes(bytes)), bytes);
    EXPECT_EQ(parse_bytes(format_bytes(bytes & ~std::int64_t{0xfffff})), bytes & ~0xfffffLL);
  }
}

TEST(Units, RatesAndDurationsPrintInReadableUnits) {
  EXPECT_EQ(format_bandwidth(50e9), "400Gbps");
  EXPECT_EQ(format_bandwidth(450e9), "3.6Tbps");
  EXPECT_EQ(format_bandwidth(125e3), "1Mbps");
  EXPECT_EQ(format_duration(1.5e-6), "1.5us");
  EXPECT_EQ(format_duration(100e-9), "100ns");
  EXPECT_EQ(format_duration(0.002), "2ms");
  EXPECT_EQ(format_duration(0), "0s");
}

}  // namespace
}  // namespace reducelab
