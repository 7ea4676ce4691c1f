// The part of FCL 0.7 that is about meshes, on impinge: collide() and distance() of BVHModel.
//
// Programs that include <fcl/...> for meshes include this instead, and link impinge in place of FCL. It needs
// Eigen 3, as FCL does. Results are exact where FCL's are approximate:
//
// * collide() lists each pair of triangles that meet, or that touch, and no other.
// * distance() returns 0 if and only if the meshes meet; nearest points are in the world.
// * A contact has a point, the normal of a triangle, and no penetration depth: that is NaN.
//
// What is not here does not compile: shapes, octrees, cost sources, broad phases, continuous collision. An
// input that impinge refuses (a NaN, a transform that is not rigid up to 1e-6) ends the program with a
// message, or throws impinge::Exception if IMPINGE_EXCEPTIONS is defined.
#ifndef IMPINGE_FCL_HPP
#define IMPINGE_FCL_HPP

#include "../impinge.hpp"

#include <Eigen/Geometry>

#include <limits>

namespace fcl {

template <typename S> using Vector3 = Eigen::Matrix<S, 3, 1>;
template <typename S> using Matrix3 = Eigen::Matrix<S, 3, 3>;
template <typename S> using Quaternion = Eigen::Quaternion<S>;
template <typename S> using Transform3 = Eigen::Transform<S, 3, Eigen::Isometry>;
using Vector3d = Vector3<double>;
using Matrix3d = Matrix3<double>;
using Transform3d = Transform3<double>;

/// Three indices of vertices.
class Triangle {
public:
    Triangle() = default;
    Triangle(std::size_t p1, std::size_t p2, std::size_t p3) { set(p1, p2, p3); }
    void set(std::size_t p1, std::size_t p2, std::size_t p3) {
        vids_[0] = p1;
        vids_[1] = p2;
        vids_[2] = p3;
    }
    std::size_t operator[](int i) const { return vids_[i]; }
    std::size_t &operator[](int i) { return vids_[i]; }

private:
    std::size_t vids_[3] = {0, 0, 0};
};

// Bounding volumes: impinge has its own, so that these only name a type of model.
template <typename S_> struct AABB {
    using S = S_;
};
template <typename S_> struct OBB {
    using S = S_;
};
template <typename S_> struct RSS {
    using S = S_;
};
template <typename S_> struct OBBRSS {
    using S = S_;
};
template <typename S_> struct kIOS {
    using S = S_;
};
template <typename S_, std::size_t N> struct KDOP {
    using S = S_;
};

/// A shape: the base of BVHModel.
template <typename S> class CollisionGeometry {
public:
    virtual ~CollisionGeometry() = default;
    virtual void computeLocalAABB() {}
    /// The model in impinge; null before endModel().
    const impinge::Model &impinge_model() const { return model_; }

protected:
    impinge::Model model_;
};

enum BVHReturnCode { BVH_OK = 0, BVH_ERR_BUILD_OUT_OF_SEQUENCE = -4 };
enum BVHBuildState { BVH_BUILD_STATE_EMPTY, BVH_BUILD_STATE_BEGUN, BVH_BUILD_STATE_PROCESSED };

/// A surface of triangles.
template <typename BV> class BVHModel : public CollisionGeometry<typename BV::S> {
public:
    using S = typename BV::S;
    BVHBuildState build_state = BVH_BUILD_STATE_EMPTY;

    int beginModel(int num_tris = 0, int num_vertices = 0) {
        points_.clear();
        triangles_.clear();
        points_.reserve(static_cast<std::size_t>(num_vertices));
        triangles_.reserve(static_cast<std::size_t>(num_tris));
        build_state = BVH_BUILD_STATE_BEGUN;
        return BVH_OK;
    }
    int addTriangle(const Vector3<S> &p1, const Vector3<S> &p2, const Vector3<S> &p3) {
        return addSubModel(std::vector<Vector3<S>>{p1, p2, p3}, {Triangle(0, 1, 2)});
    }
    int addSubModel(const std::vector<Vector3<S>> &points, const std::vector<Triangle> &triangles) {
        if (build_state != BVH_BUILD_STATE_BEGUN)
            return BVH_ERR_BUILD_OUT_OF_SEQUENCE;
        const std::size_t first = points_.size();
        for (const Vector3<S> &p : points)
            points_.push_back({double(p[0]), double(p[1]), double(p[2])});
        for (const Triangle &t : triangles)
            triangles_.push_back({index(first + t[0]), index(first + t[1]), index(first + t[2])});
        return BVH_OK;
    }
    int endModel() {
        if (build_state != BVH_BUILD_STATE_BEGUN)
            return BVH_ERR_BUILD_OUT_OF_SEQUENCE;
        this->model_ = impinge::Model::build(impinge::Mesh::make(points_, triangles_).value()).value();
        build_state = BVH_BUILD_STATE_PROCESSED;
        return BVH_OK;
    }
    int num_tris() const { return static_cast<int>(triangles_.size()); }
    int num_vertices() const { return static_cast<int>(points_.size()); }

private:
    /// An index that is too large for 32 bits is that of no vertex, and refused.
    static std::uint32_t index(std::size_t i) {
        constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
        return static_cast<std::uint32_t>(i < most ? i : most);
    }
    std::vector<impinge::Point> points_;
    std::vector<impinge::Triangle> triangles_;
};

/// A geometry at a transform.
template <typename S> class CollisionObject {
public:
    explicit CollisionObject(std::shared_ptr<CollisionGeometry<S>> geometry,
                             const Transform3<S> &transform = Transform3<S>::Identity())
        : geometry_(std::move(geometry)), transform_(transform) {}
    CollisionObject(std::shared_ptr<CollisionGeometry<S>> geometry, const Matrix3<S> &rotation,
                    const Vector3<S> &translation)
        : geometry_(std::move(geometry)), transform_(Transform3<S>::Identity()) {
        transform_.linear() = rotation;
        transform_.translation() = translation;
    }
    const Transform3<S> &getTransform() const { return transform_; }
    void setTransform(const Transform3<S> &transform) { transform_ = transform; }
    void setTranslation(const Vector3<S> &translation) { transform_.translation() = translation; }
    void setRotation(const Matrix3<S> &rotation) { transform_.linear() = rotation; }
    const std::shared_ptr<const CollisionGeometry<S>> collisionGeometry() const { return geometry_; }
    void computeAABB() {}

private:
    std::shared_ptr<CollisionGeometry<S>> geometry_;
    Transform3<S> transform_;
};

/// Two triangles that meet.
template <typename S> struct Contact {
    static const int NONE = -1;
    const CollisionGeometry<S> *o1 = nullptr;
    const CollisionGeometry<S> *o2 = nullptr;
    std::intptr_t b1 = NONE;
    std::intptr_t b2 = NONE;
    Vector3<S> normal = Vector3<S>::Zero();
    Vector3<S> pos = Vector3<S>::Zero();
    S penetration_depth = std::numeric_limits<S>::quiet_NaN();
    bool operator<(const Contact &other) const { return b1 == other.b1 ? b2 < other.b2 : b1 < other.b1; }
};

template <typename S> struct CollisionRequest {
    std::size_t num_max_contacts;
    /// True if contacts have points and normals.
    bool enable_contact;
    explicit CollisionRequest(std::size_t num_max_contacts_ = 1, bool enable_contact_ = false)
        : num_max_contacts(num_max_contacts_), enable_contact(enable_contact_) {}
};

template <typename S> class CollisionResult {
public:
    void addContact(const Contact<S> &contact) { contacts_.push_back(contact); }
    bool isCollision() const { return !contacts_.empty(); }
    std::size_t numContacts() const { return contacts_.size(); }
    const Contact<S> &getContact(std::size_t i) const {
        return contacts_[i < contacts_.size() ? i : contacts_.size() - 1];
    }
    void getContacts(std::vector<Contact<S>> &contacts) const { contacts = contacts_; }
    void clear() { contacts_.clear(); }

private:
    std::vector<Contact<S>> contacts_;
};

template <typename S> struct DistanceRequest {
    bool enable_nearest_points;
    /// The interval of the distance may be as wide as this part of it, and as this length.
    S rel_err, abs_err;
    explicit DistanceRequest(bool enable_nearest_points_ = false, S rel_err_ = 0, S abs_err_ = 0)
        : enable_nearest_points(enable_nearest_points_), rel_err(rel_err_), abs_err(abs_err_) {}
};

template <typename S> struct DistanceResult {
    static const int NONE = -1;
    S min_distance = std::numeric_limits<S>::max();
    Vector3<S> nearest_points[2] = {Vector3<S>::Zero(), Vector3<S>::Zero()};
    const CollisionGeometry<S> *o1 = nullptr;
    const CollisionGeometry<S> *o2 = nullptr;
    std::intptr_t b1 = NONE;
    std::intptr_t b2 = NONE;
    void clear() { *this = DistanceResult(); }
};

namespace detail {

template <typename S>
impinge::Body placed(const CollisionGeometry<S> *geometry, const Transform3<S> &transform) {
    impinge::Pose pose;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            pose.rotation[i][j] = double(transform.linear()(i, j));
        pose.translation[i] = double(transform.translation()[i]);
    }
    return impinge::Body::place(geometry->impinge_model(), pose).value();
}

template <typename S> Vector3<S> vector(const double (&x)[3]) {
    return Vector3<S>(S(x[0]), S(x[1]), S(x[2]));
}

inline impinge::Query &query() {
    thread_local impinge::Query query;
    return query;
}

} // namespace detail

/// Finds pairs of triangles that meet, at most as many as the request names, and adds them to the result.
/// Returns the number of contacts of the result.
template <typename S> std::size_t collide(const CollisionGeometry<S> *o1, const Transform3<S> &tf1,
                                          const CollisionGeometry<S> *o2, const Transform3<S> &tf2,
                                          const CollisionRequest<S> &request, CollisionResult<S> &result) {
    const impinge::Body a = detail::placed(o1, tf1), b = detail::placed(o2, tf2);
    impinge::Query &query = detail::query();
    std::vector<impinge::Pair> pairs;
    if (request.num_max_contacts == 1) {
        const impinge_contact first = query.first_contact(a, b).value();
        if (first.found)
            pairs.push_back(first.pair);
    } else if (request.num_max_contacts > 1) {
        pairs = query.pairs(a, b).value();
        if (pairs.size() > request.num_max_contacts)
            pairs.resize(request.num_max_contacts);
    }
    std::vector<impinge_contact_point> points;
    if (request.enable_contact)
        points = query.contact_points(a, b, pairs).value();
    for (std::size_t i = 0; i < pairs.size(); i++) {
        Contact<S> contact;
        contact.o1 = o1;
        contact.o2 = o2;
        contact.b1 = pairs[i].a;
        contact.b2 = pairs[i].b;
        if (request.enable_contact) {
            contact.pos = detail::vector<S>(points[i].point);
            contact.normal = detail::vector<S>(points[i].normal_a);
        }
        result.addContact(contact);
    }
    return result.numContacts();
}

template <typename S> std::size_t collide(const CollisionObject<S> *o1, const CollisionObject<S> *o2,
                                          const CollisionRequest<S> &request, CollisionResult<S> &result) {
    return collide(o1->collisionGeometry().get(), o1->getTransform(), o2->collisionGeometry().get(),
                   o2->getTransform(), request, result);
}

/// Computes the distance of two geometries. Returns it, rounded up; the greatest number if one has no
/// triangles.
template <typename S> S distance(const CollisionGeometry<S> *o1, const Transform3<S> &tf1,
                                 const CollisionGeometry<S> *o2, const Transform3<S> &tf2,
                                 const DistanceRequest<S> &request, DistanceResult<S> &result) {
    const impinge::Body a = detail::placed(o1, tf1), b = detail::placed(o2, tf2);
    impinge_accuracy accuracy = impinge_accuracy_default();
    accuracy.relative = double(request.rel_err);
    accuracy.absolute = double(request.abs_err);
    const impinge_distance_result found = detail::query().distance(a, b, accuracy).value();
    if (found.found && S(found.hi) < result.min_distance) {
        result.min_distance = S(found.hi);
        result.o1 = o1;
        result.o2 = o2;
        result.b1 = found.triangles.a;
        result.b2 = found.triangles.b;
        if (request.enable_nearest_points) {
            result.nearest_points[0] = detail::vector<S>(found.point_a);
            result.nearest_points[1] = detail::vector<S>(found.point_b);
        }
    }
    return result.min_distance;
}

template <typename S> S distance(const CollisionObject<S> *o1, const CollisionObject<S> *o2,
                                 const DistanceRequest<S> &request, DistanceResult<S> &result) {
    return distance(o1->collisionGeometry().get(), o1->getTransform(), o2->collisionGeometry().get(),
                    o2->getTransform(), request, result);
}

using CollisionGeometryd = CollisionGeometry<double>;
using CollisionObjectd = CollisionObject<double>;
using CollisionRequestd = CollisionRequest<double>;
using CollisionResultd = CollisionResult<double>;
using Contactd = Contact<double>;
using DistanceRequestd = DistanceRequest<double>;
using DistanceResultd = DistanceResult<double>;

} // namespace fcl

#endif
