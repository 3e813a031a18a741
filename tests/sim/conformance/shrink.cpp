#include "shrink.h"

#include <algorithm>
#include <utility>

namespace reducelab {
namespace {

class Shrinker {
 public:
  Shrinker(Case failing, const std::function<bool(const Case&)>& fails, int most_tries)
      : best_(std::move(failing)), fails_(fails), tries_left_(most_tries) {}

  Case shrink() {
    do {
      improved_ = false;
      drop_from(&Case::lines);
      drop_disturbances();
      drop_ranks();
      drop_from(&Case::cables);
      contract_cables();
      drop_devices();
      drop_channels();
      if (best_.unlike_ranks) attempt([](Case& candidate) { candidate.unlike_ranks = false; });
      make_profile_plain();
      make_numbers_plain();
    } while (improved_ && tries_left_ > 0);
    return best_;
  }

 private:
  /// Keeps a changed case if it still fails.
  template <class Change>
  bool attempt(Change change) {
    if (tries_left_ == 0) return false;
    Case candidate = best_;
    change(candidate);
    --tries_left_;
    if (!fails_(candidate)) return false;
    best_ = std::move(candidate);
    improved_ = true;
    return true;
  }

  /// Drops elements of a list: halves of it first, single ones last.
  template <class List>
  void drop_parts(List list_of) {
    for (std::size_t part = (list_of(best_).size() + 1) / 2; part > 0; part /= 2) {
      for (std::size_t first = 0; first < list_of(best_).size();) {
        const bool dropped = attempt([&](Case& candidate) {
          auto& list = list_of(candidate);
          const auto begin = list.begin() + static_cast<std::ptrdiff_t>(first);
          const std::size_t count = std::min(part, list.size() - first);
          list.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
        });
        if (!dropped) first += part;
      }
    }
  }
  template <class Member>
  void drop_from(Member member) {
    drop_parts([member](auto& source) -> auto& { return source.*member; });
  }

  void drop_disturbances() {
    const auto drop = [this](auto member) {
      drop_parts([member](Case & source) -> auto& { return source.scenario.*member; });
    };
    drop(&Scenario::slow_ranks);
    drop(&Scenario::delays);
    drop(&Scenario::noises);
    drop(&Scenario::arrivals);
    drop(&Scenario::slow_links);
    drop(&Scenario::links_down);
    drop(&Scenario::flapping_links);
    drop(&Scenario::traffic);
  }

  /// Ranks that no line names; a scenario that names them makes the attempt fail.
  void drop_ranks() {
    for (int rank = static_cast<int>(best_.hosts_of_ranks.size()) - 1; rank >= 0; --rank) {
      const auto uses = [rank](const CaseLine& line) {
        return line.rank == rank || line.peer == rank;
      };
      if (best_.hosts_of_ranks.size() == 1 || std::ranges::any_of(best_.lines, uses)) continue;
      attempt([rank](Case& candidate) {
        candidate.hosts_of_ranks.erase(candidate.hosts_of_ranks.begin() + rank);
        for (CaseLine& line : candidate.lines) {
          if (line.rank > rank) --line.rank;
          if (line.peer > rank) --line.peer;
        }
      });
    }
  }

  /// Makes one device of the two ends of a cable, unless ranks are on both.
  void contract_cables() {
    for (std::size_t i = 0; i < best_.cables.size();) {
      const CaseCable& cable = best_.cables[i];
      if (!contract(i, cable.a, cable.b) && !contract(i, cable.b, cable.a)) ++i;
    }
  }
  bool contract(std::size_t number, int kept, int gone) {
    if (std::ranges::find(best_.hosts_of_ranks, gone) != best_.hosts_of_ranks.end()) return false;
    return attempt([=](Case& candidate) {
      candidate.cables.erase(candidate.cables.begin() + static_cast<std::ptrdiff_t>(number));
      for (CaseCable& cable : candidate.cables) {
        if (cable.a == gone) cable.a = kept;
        if (cable.b == gone) cable.b = kept;
      }
      std::erase_if(candidate.cables, [](const CaseCable& cable) { return cable.a == cable.b; });
    });
  }

  void drop_devices() {
    for (int device = best_.hosts + best_.switches - 1; device >= 0; --device) {
      const auto joins = [device](const CaseCable& cable) {
        return cable.a == device || cable.b == device;
      };
      if (std::ranges::any_of(best_.cables, joins)) continue;
      if (std::ranges::find(best_.hosts_of_ranks, device) != best_.hosts_of_ranks.end()) continue;
      attempt([device](Case& candidate) {
        --(device < candidate.hosts ? candidate.hosts : candidate.switches);
        for (CaseCable& cable : candidate.cables) {
          if (cable.a > device) --cable.a;
          if (cable.b > device) --cable.b;
        }
        for (int& host : candidate.hosts_of_ranks) {
          if (host > device) --host;
        }
      });
    }
  }

  void drop_channels() {
    if (best_.channels == 1) return;
    attempt([](Case& candidate) {
      candidate.channels = 1;
      for (CaseLine& line : candidate.lines) line.channel = 0;
    });
    while (best_.channels > 1 && attempt([](Case& candidate) {
             --candidate.channels;
             for (CaseLine& line : candidate.lines) {
               line.channel = std::min(line.channel, candidate.channels - 1);
             }
           })) {
    }
  }

  template <class Member>
  void make_plain(Member member) {
    static const Profile plain;
    if (best_.profile.*member == plain.*member) return;
    attempt([member](Case& candidate) { candidate.profile.*member = plain.*member; });
  }
  template <class Member>
  void make_protocol_plain(Member member) {
    static const Protocol plain;
    if (best_.profile.protocols.front().*member == plain.*member) return;
    attempt(
        [member](Case& candidate) { candidate.profile.protocols.front().*member = plain.*member; });
  }
  void make_profile_plain() {
    make_plain(&Profile::send_overhead_s);
    make_plain(&Profile::receive_overhead_s);
    make_plain(&Profile::eager_bytes);
    make_plain(&Profile::handshake_latencies);
    make_plain(&Profile::window);
    make_plain(&Profile::reduction_launch_s);
    make_plain(&Profile::reduction_bytes_per_s);
    make_plain(&Profile::concurrent_reductions);
    make_plain(&Profile::copy_bytes_per_s);
    make_protocol_plain(&Protocol::latency_s);
    make_protocol_plain(&Protocol::efficiency);
    make_protocol_plain(&Protocol::rank_cap_bytes_per_s);
    make_protocol_plain(&Protocol::channel_cap_bytes_per_s);
  }

  template <class Value, class Plain>
  void set(Value value, Plain plain) {
    if (value(best_) != plain) attempt([&](Case& candidate) { value(candidate) = plain; });
  }
  void make_numbers_plain() {
    for (std::size_t i = 0; i < best_.cables.size(); ++i) {
      set(
          [i](Case & c) -> auto& { return c.cables[i].bytes_per_s; }, 1e9);
      set(
          [i](Case & c) -> auto& { return c.cables[i].latency_s; }, 0);
      set(
          [i](Case & c) -> auto& { return c.cables[i].kind; }, LinkKind::network);
      set(
          [i](Case & c) -> auto& { return c.cables[i].half_duplex; }, false);
    }
    for (std::size_t i = 0; i < best_.lines.size(); ++i) {
      set(
          [i](Case & c) -> auto& { return c.lines[i].offset; }, 0);
      set(
          [i](Case & c) -> auto& { return c.lines[i].target_offset; }, 0);
      set(
          [i](Case & c) -> auto& { return c.lines[i].reduces; }, false);
      set(
          [i](Case & c) -> auto& { return c.lines[i].elements; }, 1000);
      set(
          [i](Case & c) -> auto& { return c.lines[i].cost_s; }, 0);
    }
  }

  Case best_;
  const std::function<bool(const Case&)>& fails_;
  int tries_left_;
  bool improved_ = false;
};

}  // namespace

Case shrink(Case failing, const std::function<bool(const Case&)>& fails, int most_tries) {
  return Shrinker(std::move(failing), fails, most_tries).shrink();
}

}  // namespace reducelab
