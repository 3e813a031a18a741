#include "algorithms/allreduce/double_tree_shape.h"

#include <gtest/gtest.h>

#include <vector>

#include "algorithms/allreduce/cost_terms.h"

namespace reducelab::allreduce {
namespace {

std::vector<TreeLinks> tree(int which, int nodes) {
  std::vector<TreeLinks> links;
  for (int i = 0; i < nodes; ++i) {
    links.push_back(which == 1 ? first_tree(nodes, i) : second_tree(nodes, i));
  }
  return links;
}

int children_of(const TreeLinks& links) {
  return (links.children[0] >= 0) + (links.children[1] >= 0);
}

TEST(DoubleTreeShape, EqualsNcclsTreesOfEightNodes) {
  const std::vector<TreeLinks> first{{-1, {-1, 4}}, {2, {-1, -1}}, {4, {1, 3}}, {2, {-1, -1}},
                                     {0, {2, 6}},   {6, {-1, -1}}, {4, {5, 7}}, {6, {-1, -1}}};
  const std::vector<TreeLinks> second{{1, {-1, -1}}, {3, {2, 0}}, {1, {-1, -1}}, {7, {5, 1}},
                                      {5, {-1, -1}}, {3, {6, 4}}, {5, {-1, -1}}, {-1, {-1, 3}}};
  EXPECT_EQ(tree(1, 8), first);
  EXPECT_EQ(tree(2, 8), second);
}

TEST(DoubleTreeShape, EqualsNcclsTreesOfSevenNodes) {
  const std::vector<TreeLinks> first{{-1, {-1, 4}}, {2, {-1, -1}}, {4, {1, 3}}, {2, {-1, -1}},
                                     {0, {2, 6}},   {6, {-1, -1}}, {4, {5, -1}}};
  const std::vector<TreeLinks> second{{5, {6, -1}},  {-1, {-1, 5}}, {3, {-1, -1}}, {5, {2, 4}},
                                      {3, {-1, -1}}, {1, {3, 0}},   {0, {-1, -1}}};
  EXPECT_EQ(tree(1, 7), first);
  EXPECT_EQ(tree(2, 7), second);
}

class DoubleTreeShapeOf : public testing::TestWithParam<int> {};

TEST_P(DoubleTreeShapeOf, NNodesIsTwoSpanningTreesOfLogarithmicDepth) {
  const int nodes = GetParam();
  for (const int which : {1, 2}) {
    const std::vector<TreeLinks> links = tree(which, nodes);
    int roots = 0;
    int deepest = 0;
    for (int node = 0; node < nodes; ++node) {
      if (links[node].parent < 0) ++roots;
      for (const int child : links[node].children) {
        if (child < 0) continue;
        ASSERT_EQ(links[child].parent, node);
      }
      int depth = 0;
      for (int at = node; links[at].parent >= 0; at = links[at].parent) {
        const TreeLinks& parent = links[links[at].parent];
        ASSERT_TRUE(parent.children[0] == at || parent.children[1] == at);
        ASSERT_LT(++depth, nodes) << "a cycle";
      }
      deepest = std::max(deepest, depth);
    }
    EXPECT_EQ(roots, 1);
    EXPECT_EQ(deepest, ceil_log2(nodes));
  }
}

TEST_P(DoubleTreeShapeOf, NNodesLoadsNobodyWithMoreThanTwoChildren) {
  const int nodes = GetParam();
  for (int node = 0; node < nodes; ++node) {
    const int first = children_of(first_tree(nodes, node));
    const int second = children_of(second_tree(nodes, node));
    EXPECT_LE(first + second, 2) << node;
    const bool interior_in_both = first > 0 && second > 0;
    EXPECT_TRUE(!interior_in_both || (nodes % 2 == 1 && node == 0)) << node;
  }
}

INSTANTIATE_TEST_SUITE_P(Many, DoubleTreeShapeOf,
                         testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
                                         24, 31, 32, 33, 64, 127, 128, 192, 1000, 4096));

}  // namespace
}  // namespace reducelab::allreduce
