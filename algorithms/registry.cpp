#include "algorithms/registry.h"

#include <array>

#include "algorithms/allreduce/programs.h"

namespace reducelab {
namespace {

using Kind = ParamSpec::Kind;

constexpr ParamSpec kRoot{.name = "root",
                          .kind = Kind::integer,
                          .default_value = "0",
                          .sentence = "rank that reduces and sends the result to all",
                          .most = (1LL << 31) - 1};
constexpr ParamSpec kChannels{.name = "channels",
                              .kind = Kind::integer,
                              .default_value = "1",
                              .sentence = "parts of the vector that are reduced side by side",
                              .least = 1,
                              .most = 64};
constexpr ParamSpec sliced(std::string_view default_value) {
  return {.name = "slice_bytes",
          .kind = Kind::bytes,
          .default_value = default_value,
          .sentence = "largest piece that travels at once, 0 for whole blocks"};
}

constexpr std::array kRootParams{kRoot};
constexpr std::array kRingParams{kChannels, sliced("0")};
constexpr std::array kBidirectionalParams{sliced("0")};
constexpr std::array kTreeParams{kChannels, sliced("256KiB")};

constexpr std::array<std::string_view, 2> kOrders{"near-first", "far-first"};
constexpr std::array kRabenseifnerParams{
    ParamSpec{.name = "order",
              .kind = Kind::choice,
              .default_value = "near-first",
              .sentence = "whether the largest messages go to the nearest rank or the farthest",
              .choices = kOrders}};

constexpr std::array kSegmentParams{
    ParamSpec{.name = "segment_bytes",
              .kind = Kind::bytes,
              .default_value = "1MiB",
              .sentence = "largest part of a block that one trip around the ring reduces",
              .least = 1}};

constexpr std::array<std::string_view, 3> kPlacements{"auto", "own", "colocated"};
constexpr std::array kServerParams{
    ParamSpec{.name = "servers",
              .kind = Kind::integer,
              .default_value = "1",
              .sentence = "servers, each of which sums one block of the vector",
              .least = 1,
              .most = 65536},
    ParamSpec{
        .name = "placement",
        .kind = Kind::choice,
        .default_value = "auto",
        .sentence =
            "servers on places of their own, server k on the device of rank k, or the first if "
            "places are left",
        .choices = kPlacements},
    sliced("0")};

// Every algorithm below that is not hierarchical itself and needs no servers.
constexpr std::array<std::string_view, 11> kInner{
    "linear",       "one-shot", "two-shot",       "binomial",           "recursive-doubling",
    "rabenseifner", "ring",     "segmented-ring", "bidirectional-ring", "circulant",
    "double-tree"};
constexpr std::array<std::string_view, 2> kIntra{"ring", "direct"};
constexpr std::array kHierarchicalParams{
    ParamSpec{.name = "inner",
              .kind = Kind::choice,
              .default_value = "ring",
              .sentence = "all-reduce between the nodes; its parameters are accepted too",
              .choices = kInner},
    ParamSpec{.name = "intra",
              .kind = Kind::choice,
              .default_value = "ring",
              .sentence = "reduce-scatter and all-gather inside nodes of equal size",
              .choices = kIntra}};

constexpr std::array kAlgorithms{
    Algorithm{
        .name = "linear",
        .sentence = "every rank sends its vector to a root, which reduces and sends the sum back",
        .source = "Open MPI coll/base, ompi_coll_base_allreduce_intra_basic_linear",
        .params = kRootParams,
        .also_known_as = "Open MPI 1 basic_linear; oneCCL starlike",
        .rank_program = allreduce::linear,
        .refusal = allreduce::root_refusal,
        .cost = allreduce::linear_cost},
    Algorithm{
        .name = "one-shot",
        .sentence = "every rank sends its vector to all others and reduces everything itself",
        .source = "MSCCL++ allpair; Open MPI coll/base, allreduce_intra_allgather_reduce",
        .params = {},
        .also_known_as = "Open MPI 7 allgather_reduce; MSCCL++ allpair; TensorRT-LLM one-shot",
        .rank_program = allreduce::one_shot,
        .cost = allreduce::one_shot_cost},
    Algorithm{
        .name = "two-shot",
        .sentence = "every rank reduces one block, sent straight to it, and sends it to all others",
        .source = "MSCCL++ rsag; AWS Neuron mesh",
        .params = {},
        .also_known_as = "MSCCL++ fullmesh; TensorRT-LLM two-shot; HCCL Mesh",
        .rank_program = allreduce::two_shot,
        .cost = allreduce::two_shot_cost,
        .symmetry = allreduce::two_shot_symmetry},
    Algorithm{.name = "binomial",
              .sentence = "reduces along a binomial tree to a root and broadcasts along it",
              .source = "Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005",
              .params = kRootParams,
              .also_known_as = "Open MPI 2 nonoverlapping; MPICH tree; SMPI smp_binomial",
              .rank_program = allreduce::binomial,
              .refusal = allreduce::root_refusal,
              .cost = allreduce::binomial_cost},
    Algorithm{
        .name = "recursive-doubling",
        .sentence = "ranks exchange whole vectors with partners at distance 1, 2, 4, ..",
        .source = "Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005",
        .params = {},
        .also_known_as = "Open MPI 3; MPICH recursive_doubling; SMPI rdb; UCC knomial radix 2",
        .rank_program = allreduce::recursive_doubling,
        .cost = allreduce::recursive_doubling_cost,
        .symmetry = allreduce::recursive_doubling_symmetry},
    Algorithm{.name = "rabenseifner",
              .sentence =
                  "a reduce-scatter by recursive halving, then an all-gather by recursive doubling",
              .source = "Rabenseifner, Optimization of Collective Reduction Operations, ICCS 2004",
              .params = kRabenseifnerParams,
              .also_known_as = "Open MPI 6; MPICH reduce_scatter_allgather; SMPI rab_rdb; "
                               "Gloo halving_doubling; UCC sra_knomial radix 2",
              .rank_program = allreduce::rabenseifner,
              .cost = allreduce::rabenseifner_cost,
              .symmetry = allreduce::rabenseifner_symmetry},
    Algorithm{
        .name = "ring",
        .sentence = "blocks are reduced on their way around a ring and then sent around once more",
        .source = "Patarasuk, Yuan, JPDC 69(2), 2009",
        .params = kRingParams,
        .also_known_as = "NCCL and RCCL Ring; Open MPI 4; MPICH ring; Gloo ring; SMPI lr; UCC ring",
        .rank_program = allreduce::ring,
        .cost = allreduce::ring_cost,
        .symmetry = allreduce::ring_symmetry},
    Algorithm{.name = "segmented-ring",
              .sentence = "a ring whose reduce-scatter goes around once per segment of the blocks",
              .source = "Open MPI coll/base, ompi_coll_base_allreduce_intra_ring_segmented",
              .params = kSegmentParams,
              .also_known_as = "Open MPI 5 segmented_ring; SMPI ompi_ring_segmented",
              .rank_program = allreduce::segmented_ring,
              .cost = allreduce::segmented_ring_cost,
              .symmetry = allreduce::segmented_ring_symmetry},
    Algorithm{.name = "bidirectional-ring",
              .sentence = "two rings in opposite directions, each with half of the vector",
              .source = "folklore; e.g. Jain, Sabharwal, ICS 2010, for torus dimensions",
              .params = kBidirectionalParams,
              .also_known_as = "HCCL Double-Ring",
              .rank_program = allreduce::bidirectional_ring,
              .cost = allreduce::bidirectional_ring_cost,
              .symmetry = allreduce::bidirectional_ring_symmetry},
    Algorithm{
        .name = "circulant",
        .sentence = "reduce-scatter and all-gather in ceil(lg p) rounds each, for any p",
        .source = "Träff, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms, 2024",
        .params = {},
        .rank_program = allreduce::circulant,
        .cost = allreduce::circulant_cost},
    Algorithm{
        .name = "double-tree",
        .sentence =
            "two binary trees, each with half of the vector, reduce and broadcast in slices",
        .source = "Sanders, Speck, Träff, Parallel Computing 35(12), 2009; NCCL 2.4 graph/trees.cc",
        .params = kTreeParams,
        .splits_channels = true,
        .also_known_as = "NCCL and RCCL Tree; UCC dbt; oneCCL double_tree",
        .rank_program = allreduce::double_tree,
        .cost = allreduce::double_tree_cost},
    Algorithm{
        .name = "hierarchical",
        .sentence = "reduce-scatter inside nodes, all-reduce of the blocks between, all-gather "
                    "inside; through leaders where nodes differ in size",
        .source = "Cho et al., BlueConnect, MLSys 2019",
        .params = kHierarchicalParams,
        .also_known_as = "Horovod hierarchical allreduce; 2D-torus all-reduce; MPICH smp (leaders)",
        .rank_program = allreduce::hierarchical,
        .refusal = allreduce::hierarchical_refusal,
        .cost = allreduce::hierarchical_cost,
        .symmetry = allreduce::hierarchical_symmetry},
    Algorithm{
        .name = "parameter-server",
        .sentence = "servers sum one block of the vector each and send it back to every worker",
        .source = "Li et al., Scaling Distributed Machine Learning with the Parameter Server, "
                  "OSDI 2014",
        .params = kServerParams,
        .also_known_as = "BytePS",
        .rank_program = allreduce::parameter_server_worker,
        .extras = allreduce::parameter_server_extras,
        .extra_program = allreduce::parameter_server,
        .refusal = allreduce::parameter_server_refusal,
        .cost = allreduce::parameter_server_cost},
};

}  // namespace

std::span<const Algorithm> all_algorithms() {
  return kAlgorithms;
}

}  // namespace reducelab
