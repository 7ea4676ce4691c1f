// Two boxes overlap by half of their length: c++ -std=c++17 two_boxes.cpp -limpinge
#include <cstdio>
#include <impinge.hpp>

int main() {
    const auto model = impinge::Model::build(impinge::Mesh::box(2, 2, 2).value()).value();
    const auto a = impinge::Body::place(model).value();
    const auto b = impinge::Body::place(model, impinge::Pose::at(1, 0, 0)).value();
    impinge::Query query;
    const auto relation = query.relation(a, b);
    if (!relation) {
        std::fprintf(stderr, "%s\n", relation.error().text.c_str());
        return 1;
    }
    std::puts(relation->kind == IMPINGE_RELATION_KIND_OVERLAP ? "they overlap" : "they do not overlap");
}
