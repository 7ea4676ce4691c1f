// A debug build of the library finds handles that were freed, and ends the program at a second free.
#include "test.h"

int main(void) {
    impinge_mesh *mesh;
    impinge_model *model;
    OK(impinge_mesh_new_box(1, 1, 1, &mesh));
    OK(impinge_model_new(mesh, &model));
    // A handle of another type.
    FAILS(impinge_model_new((impinge_mesh *)model, &model), IMPINGE_STATUS_INVALID_HANDLE, "no impinge_mesh");
    impinge_mesh_free(mesh);
    size_t points, triangles;
    FAILS(impinge_mesh_size(mesh, &points, &triangles), IMPINGE_STATUS_INVALID_HANDLE, "was freed");
    puts("freeing it again");
    fflush(stdout);
    impinge_mesh_free(mesh);
    puts("not reached");
    return 0;
}
