// impinge in C++17: handles that free themselves, results in place of status codes. No exception is thrown,
// unless IMPINGE_EXCEPTIONS is defined. impinge.h explains objects, units and threads.
//
//     auto model = impinge::Model::build(impinge::Mesh::box(2, 2, 2).value()).value();
//     auto a = impinge::Body::place(model).value();
//     auto b = impinge::Body::place(model, impinge::Pose::at(1, 0, 0)).value();
//     impinge::Query query;
//     if (auto distance = query.distance(a, b)) std::printf("%g\n", distance->hi);
//
// Each function has the name of its counterpart in C, whose comment describes it.
#ifndef IMPINGE_HPP
#define IMPINGE_HPP

#include "impinge/assembly.hpp"
#include "impinge/objects.hpp"
#include "impinge/query.hpp"
#include "impinge/scene.hpp"

#endif
