#include "sim/scenario/arrival.h"

#include "core/files.h"
#include "core/text.h"
#include "core/units.h"

namespace reducelab {

std::vector<double> read_arrival_times(std::string_view text, std::string_view file_name) {
  std::vector<double> times_s;
  int number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const std::string_view time = trim(line.substr(0, line.find('#')));
    if (time.empty()) continue;
    const int column = static_cast<int>(time.data() - line.data()) + 1;
    try {
      times_s.push_back(parse_duration(time));
    } catch (const Error& error) {
      throw Error(error.code(), error.message(), {std::string(file_name), number, column});
    }
  }
  if (times_s.empty()) {
    throw Error(ErrorCode::usage, "no arrival times here; write one a line, such as 1.5ms",
                {std::string(file_name), 0, 0});
  }
  return times_s;
}

std::vector<double> load_arrival_times(const std::filesystem::path& path) {
  return read_arrival_times(read_text_file(path), path.string());
}

}  // namespace reducelab
