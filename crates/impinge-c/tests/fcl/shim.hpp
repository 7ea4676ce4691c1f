// What FCL's own mesh tests use of FCL besides its interface: traversals, splitters, helpers. Each is reduced
// to a call of collide() or distance() in impinge/fcl.hpp, which the tests are for. .ci/fcl-tests makes each
// header <fcl/...> of the tests include this file.
#pragma once

#include <impinge/fcl.hpp>

#include <algorithm>
#include <cstring>

#define FCL_HAVE_OCTOMAP 0
#define FCL_UNUSED(x) (void)x

namespace fcl {

template <typename T> using aligned_vector = std::vector<T, Eigen::aligned_allocator<T>>;
template <typename S> struct constants {
    static constexpr S pi() { return S(3.141592653589793238462643383279502884197169399375105820974944592L); }
};
// Shapes that helpers name in functions which no mesh test calls.
template <typename S> struct Box;
template <typename S> struct Sphere;
template <typename S> struct Cylinder;
enum NODE_TYPE : int;
enum GJKSolverType : int;

namespace detail {

enum SplitMethodType { SPLIT_METHOD_MEAN, SPLIT_METHOD_MEDIAN, SPLIT_METHOD_BV_CENTER };
template <typename BV> struct BVSplitter {
    explicit BVSplitter(SplitMethodType) {}
};

} // namespace detail

// A model that ignores its splitter: impinge has one tree.
namespace tested {
template <typename BV> struct BVHModel : fcl::BVHModel<BV> {
    std::shared_ptr<detail::BVSplitter<BV>> bv_splitter;
};
} // namespace tested

namespace detail {

/// The arguments of a query.
template <typename BV, typename Request, typename Result> struct Traversal {
    using S = typename BV::S;
    const fcl::BVHModel<BV> *model1 = nullptr, *model2 = nullptr;
    Transform3<S> tf1, tf2;
    Request request;
    Result *result = nullptr;
    bool enable_statistics = false;
    int num_bv_tests = 0, num_leaf_tests = 0;
};
template <typename BV> struct MeshCollisionTraversalNode
    : Traversal<BV, CollisionRequest<typename BV::S>, CollisionResult<typename BV::S>> {};
template <typename BV> struct MeshDistanceTraversalNode
    : Traversal<BV, DistanceRequest<typename BV::S>, DistanceResult<typename BV::S>> {};
template <typename S> using MeshCollisionTraversalNodeOBB = MeshCollisionTraversalNode<OBB<S>>;
template <typename S> using MeshCollisionTraversalNodeRSS = MeshCollisionTraversalNode<RSS<S>>;
template <typename S> using MeshCollisionTraversalNodekIOS = MeshCollisionTraversalNode<kIOS<S>>;
template <typename S> using MeshCollisionTraversalNodeOBBRSS = MeshCollisionTraversalNode<OBBRSS<S>>;
template <typename S> using MeshDistanceTraversalNodeRSS = MeshDistanceTraversalNode<RSS<S>>;
template <typename S> using MeshDistanceTraversalNodekIOS = MeshDistanceTraversalNode<kIOS<S>>;
template <typename S> using MeshDistanceTraversalNodeOBBRSS = MeshDistanceTraversalNode<OBBRSS<S>>;

template <typename BV, typename Request, typename Result>
bool initialize(Traversal<BV, Request, Result> &node, const fcl::BVHModel<BV> &model1,
                const Transform3<typename BV::S> &tf1, const fcl::BVHModel<BV> &model2,
                const Transform3<typename BV::S> &tf2, const Request &request, Result &result) {
    node.model1 = &model1;
    node.model2 = &model2;
    node.tf1 = tf1;
    node.tf2 = tf2;
    node.request = request;
    node.result = &result;
    return true;
}
template <typename BV> void collide(MeshCollisionTraversalNode<BV> *node) {
    using S = typename BV::S;
    const CollisionGeometry<S> *o1 = node->model1, *o2 = node->model2;
    fcl::collide(o1, node->tf1, o2, node->tf2, node->request, *node->result);
}
template <typename BV> void distance(MeshDistanceTraversalNode<BV> *node, std::nullptr_t, int) {
    using S = typename BV::S;
    const CollisionGeometry<S> *o1 = node->model1, *o2 = node->model2;
    fcl::distance(o1, node->tf1, o2, node->tf2, node->request, *node->result);
}

} // namespace detail
} // namespace fcl
