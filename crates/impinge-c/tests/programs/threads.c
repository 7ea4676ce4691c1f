// Threads with a query each share models and bodies; each has an error text of its own.
#include "test.h"
#include <pthread.h>

enum { THREADS = 4, ROUNDS = 200 };
static impinge_body *a, *b;
static impinge_model *cube;

static void *work(void *argument) {
    size_t own = *(size_t *)argument;
    impinge_query *query;
    OK(impinge_query_new(&query));
    for (size_t i = 0; i < ROUNDS; i++) {
        impinge_relation_result relation;
        OK(impinge_relation(query, a, b, &relation));
        CHECK(relation.kind == IMPINGE_RELATION_KIND_OVERLAP);
        impinge_pose poses[2];
        bool meet[2];
        poses[0] = impinge_pose_at(1 + (double)own / 8, 0, 0);
        poses[1] = impinge_pose_at(3, 0, 0);
        OK(impinge_intersects_at(query, a, cube, poses, 2, meet));
        CHECK(meet[0] && !meet[1]);
        char expected[40];
        snprintf(expected, sizeof expected, "%zu is no sum", 16 + own);
        impinge_penetration_result depth;
        REFUSED(impinge_penetration(query, a, b, (uint32_t)(16 + own), &depth), expected);
    }
    impinge_query_free(query);
    return NULL;
}

int main(void) {
    impinge_mesh *mesh;
    impinge_pose pose = impinge_pose_at(1, 0.5, 0.25);
    OK(impinge_mesh_new_box(2, 2, 2, &mesh));
    OK(impinge_model_new(mesh, &cube));
    OK(impinge_body_new(cube, NULL, &a));
    OK(impinge_body_new(cube, &pose, &b));
    pthread_t threads[THREADS];
    size_t numbers[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        numbers[i] = i;
        CHECK(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        CHECK(pthread_join(threads[i], NULL) == 0);
    }
    impinge_body_free(a);
    impinge_body_free(b);
    impinge_model_free(cube);
    impinge_mesh_free(mesh);
    return 0;
}
