// Two boxes overlap by half of their length: cc two_boxes.c -limpinge
#include <impinge.h>
#include <stdio.h>

int main(void) {
    impinge_mesh *mesh;
    impinge_model *model;
    impinge_body *a, *b;
    impinge_query *query;
    impinge_pose pose = impinge_pose_at(1, 0, 0);
    impinge_relation_result relation;
    if (impinge_mesh_new_box(2, 2, 2, &mesh) || impinge_model_new(mesh, &model) ||
        impinge_body_new(model, NULL, &a) || impinge_body_new(model, &pose, &b) ||
        impinge_query_new(&query) || impinge_relation(query, a, b, &relation)) {
        fprintf(stderr, "%s\n", impinge_last_error());
        return 1;
    }
    puts(relation.kind == IMPINGE_RELATION_KIND_OVERLAP ? "they overlap" : "they do not overlap");
    impinge_query_free(query);
    impinge_body_free(b);
    impinge_body_free(a);
    impinge_model_free(model);
    impinge_mesh_free(mesh);
    return 0;
}
