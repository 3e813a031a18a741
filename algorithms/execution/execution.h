#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "algorithms/execution/fabric.h"
#include "algorithms/execution/observer.h"
#include "algorithms/execution/strand.h"
#include "algorithms/relabelling.h"

namespace reducelab {

/// How many messages may be posted per connection and direction, and up to which size a transfer
/// may begin before its receive is posted.
struct ExecutionLimits {
  std::uint32_t window = 8;
  std::int64_t eager_bytes = -1;  ///< messages of at most so many bytes are eager; -1: none

  bool operator==(const ExecutionLimits&) const = default;
};

/// A participant that could not finish, for the report of a deadlock.
struct BlockedParticipant {
  int participant = 0;
  int waits_for = -1;  ///< the participant it waits for, -1 if none
  std::string reason;  ///< `waits to receive [0, 5) from rank 2`
};

/// Runs the programs of a job: pulls them lazily, orders their operations, matches sends with
/// receives, and asks a Fabric for everything that takes time. The same component serves every
/// engine, the verifier and the tests. Not thread-safe; copes with being called from its Fabric.
class Execution {
 public:
  /// With a `symmetry` that leaves all programs and the fabric unchanged, only rank 0 is to be
  /// started, and stands for all ranks: what it receives is what it sends, seen from the other end.
  /// Every count is then that of one rank.
  Execution(const World& world, ExecutionLimits limits, Fabric& fabric,
            Relabelling symmetry = Relabelling::none);
  ~Execution();
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  /// Adds an observer; all of them must outlive the Execution.
  void observe(ExecutionObserver& observer) { observers_.push_back(&observer); }
  /// The scratch buffers of participant `id`, to build its Rank with.
  ScratchSizes* scratch_counter(int id) { return &scratch_buffers_[static_cast<std::size_t>(id)]; }
  /// Starts participant `id` with its program.
  void start(int id, Program program);

  /// The Fabric's answers.
  void sent(MessageId id) { enter({Event::Kind::sent, id}); }
  void arrived(MessageId id) { enter({Event::Kind::arrived, id}); }
  void reduced(MessageId id) { enter({Event::Kind::reduced, id}); }
  void finished(OpId id) { enter({Event::Kind::finished, id}); }
  void woke(std::uint32_t strand) { enter({Event::Kind::woke, strand}); }

  /// True when every participant that was started has finished.
  bool done() const { return live_participants_ == 0; }
  /// Who has not finished and why; empty when done.
  std::vector<BlockedParticipant> blocked() const;
  /// Throws a run Error unless every participant finished and every message was received.
  void require_complete() const;

  std::uint64_t messages() const { return messages_; }
  std::uint64_t operations() const { return operations_; }
  /// Bytes sent by / received by each participant.
  const std::vector<std::int64_t>& bytes_sent() const { return bytes_sent_; }
  const std::vector<std::int64_t>& bytes_received() const { return bytes_received_; }
  /// Messages on the longest chain of dependent messages.
  std::uint32_t steps() const { return steps_; }

  /// The serial of the operation whose end is being handled (0 at the start): whatever begins now
  /// begins because of it.
  std::uint64_t cause() const { return cause_; }
  const World& world() const { return world_; }
  const PostedOp& op(OpId id) const { return ops_[id]; }
  const Message& message(MessageId id) const { return inflight_[id]; }
  /// Tells the strands of a participant apart, the same in every run of a program.
  std::uint64_t strand_path(std::uint32_t strand) const { return strands_[strand].path; }
  const Connection& connection(std::uint32_t id) const { return connections_[id]; }

  /// Fetches the memory that the next answers about these messages will need: with thousands of
  /// ranks a run outgrows the caches, but many answers are known before they are due.
  void prefetch(std::span<const MessageId> messages) const;

 private:
  struct Event {
    enum class Kind : std::uint8_t { start, sent, arrived, reduced, finished, woke } kind;
    std::uint32_t id;
    std::uint64_t cause = 0;  ///< of a start
  };

  void enter(Event event);
  void handle(Event event);
  void handle_sent(MessageId id);
  void handle_arrived(MessageId id);
  void handle_reduced(MessageId id);
  void handle_finished(OpId id);

  void pull(std::uint32_t strand);
  bool wait_for_slot(std::uint32_t strand, const Operation& operation, std::uint32_t connection);
  void post(std::uint32_t strand, const Operation& operation, std::uint32_t connection);
  void post_local(std::uint32_t strand, OpId id);
  void post_any(std::uint32_t strand, const Operation& operation);
  void offer_any(std::uint32_t strand);
  OpId receive_for(const Connection& connection, std::uint32_t number) const;
  void take_receive(Connection& connection, std::uint32_t number, OpId recv);
  void go_on(std::uint32_t strand);
  std::uint32_t add_strand(Program program, int participant, std::uint32_t parent);
  void spawn(std::uint32_t strand);
  void on_ready(OpId id);
  void complete(OpId id);
  void strand_progress(std::uint32_t strand);
  void strand_finished(std::uint32_t strand);
  void wake(std::uint32_t& waiter);

  std::uint32_t connection_of(Strand& strand, const Operation& operation);
  /// Where the counts of a participant are kept.
  std::size_t account(int participant) const {
    return symmetry_ == Relabelling::none ? static_cast<std::size_t>(participant) : 0;
  }
  void try_start(std::uint32_t connection);
  void match_eager(std::uint32_t connection, OpId recv);
  void match(Message& message, OpId recv);
  void process_inbound(std::uint32_t connection);
  void finish_inbound(std::uint32_t connection, MessageId id);
  void try_local(std::uint32_t strand);
  Operation local_operation(const PostedOp& op) const;
  int peer_of(const PostedOp& op) const;
  std::string describe(const PostedOp& op) const;

  struct ConnectionKey {
    std::int32_t from, to;
    std::uint64_t channel;
    bool operator==(const ConnectionKey&) const = default;
  };
  struct ConnectionHash {
    std::size_t operator()(const ConnectionKey& key) const;
  };

  World world_;
  ExecutionLimits limits_;
  Relabelling symmetry_;
  Fabric& fabric_;
  std::vector<ExecutionObserver*> observers_;
  std::vector<ScratchSizes> scratch_buffers_;
  OpTable ops_;
  Pool<Message> inflight_;
  Pool<Strand> strands_;
  std::vector<std::uint32_t> strands_of_;  ///< live strands per participant
  Pool<Connection> connections_;
  std::unordered_map<ConnectionKey, std::uint32_t, ConnectionHash> connection_ids_;
  std::unordered_map<std::uint32_t, std::uint32_t> any_of_;  ///< wanted connection -> strand
  std::vector<Event> queue_;
  bool handling_ = false;

  int live_participants_ = 0;
  std::uint64_t cause_ = 0;
  std::uint64_t messages_ = 0;
  std::uint64_t operations_ = 0;
  std::uint32_t steps_ = 0;
  std::vector<std::int64_t> bytes_sent_;
  std::vector<std::int64_t> bytes_received_;
};

/// `rank 3` or, for an extra participant, `server 0`.
std::string participant_name(const World& world, int participant);

}  // namespace reducelab
