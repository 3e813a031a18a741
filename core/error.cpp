#include "core/error.h"

#include <nlohmann/json.hpp>

namespace reducelab {
namespace {

/// Line breaks spelled out, so that an error stays one line whatever a file or an argument held.
std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '\n') {
      line += "\\n";
    } else if (c == '\r') {
      line += "\\r";
    } else {
      line += c;
    }
  }
  return line;
}

}  // namespace

Error::Error(ErrorCode code, std::string message, SourceLocation where)
    : std::runtime_error(message),
      code_(code),
      message_(std::move(message)),
      where_(std::move(where)) {
  compose();
}

Error& Error::note(std::string text) {
  notes_.push_back(std::move(text));
  compose();
  return *this;
}

void Error::compose() {
  text_.clear();
  if (!where_.file.empty()) {
    text_ += where_.file;
    if (where_.line > 0) text_ += fmt::format(":{}", where_.line);
    if (where_.line > 0 && where_.column > 0) text_ += fmt::format(":{}", where_.column);
    text_ += ": ";
  }
  text_ += message_;
  if (!notes_.empty()) text_ += fmt::format(" ({})", fmt::join(notes_, "; "));
  text_ = on_one_line(text_);
}

std::string Error::to_json() const {
  nlohmann::json json{{"code", exit_code()}, {"message", message_}, {"notes", notes_},
                      {"file", where_.file}, {"line", where_.line}, {"column", where_.column}};
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Error Error::from_json(const std::string& text) {
  try {
    const auto json = nlohmann::json::parse(text);
    const int code = json.at("code").get<int>();
    for (const ErrorCode known :
         {ErrorCode::usage, ErrorCode::unsupported, ErrorCode::failed, ErrorCode::bug}) {
      if (code != static_cast<int>(known)) continue;
      Error error(known, json.at("message").get<std::string>(),
                  {json.value("file", ""), json.value("line", 0), json.value("column", 0)});
      for (auto& note : json.value("notes", std::vector<std::string>{})) error.note(note);
      return error;
    }
  } catch (const nlohmann::json::exception&) {
    // What was sent is the better report; it follows.
  }
  return {ErrorCode::bug, "not an error object: " + text};
}

}  // namespace reducelab
