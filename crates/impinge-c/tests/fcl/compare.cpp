// Prints, for FCL's test meshes at random poses, whether they collide, the number of pairs, and the distance.
// Compiled with FCL and with impinge/fcl.hpp; .ci/fcl-tests compares what both print.
#ifdef WITH_FCL
#include <fcl/fcl.h>
#else
#include <impinge/fcl.hpp>
#endif

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <string>

using Model = fcl::BVHModel<fcl::OBBRSS<double>>;

static std::shared_ptr<Model> load(const std::string &path) {
    std::ifstream file(path);
    std::vector<fcl::Vector3d> points;
    std::vector<fcl::Triangle> triangles;
    std::string line, word;
    while (std::getline(file, line)) {
        std::istringstream words(line);
        words >> word;
        if (word == "v") {
            double x, y, z;
            words >> x >> y >> z;
            points.emplace_back(x, y, z);
        } else if (word == "f") {
            std::vector<std::size_t> corners;
            while (words >> word)
                corners.push_back(std::stoul(word) - 1);
            for (std::size_t i = 2; i < corners.size(); i++)
                triangles.emplace_back(corners[0], corners[i - 1], corners[i]);
        }
        word.clear();
    }
    if (triangles.empty())
        std::exit(2);
    auto model = std::make_shared<Model>();
    model->beginModel();
    model->addSubModel(points, triangles);
    model->endModel();
    return model;
}

int main(int count, char **arguments) {
    if (count != 4)
        return 2;
    const auto env = load(std::string(arguments[1]) + "/env.obj"),
               rob = load(std::string(arguments[1]) + "/rob.obj");
    const fcl::CollisionObjectd a(env);
    std::mt19937_64 random(std::stoul(arguments[3]));
    std::uniform_real_distribution<double> unit(-1, 1);
    for (int i = 0; i < std::stoi(arguments[2]); i++) {
        fcl::Transform3d pose = fcl::Transform3d::Identity();
        const double w = unit(random), x = unit(random), y = unit(random), z = unit(random);
        pose.linear() = Eigen::Quaterniond(w, x, y, z).normalized().toRotationMatrix();
        for (int k = 0; k < 3; k++)
            pose.translation()[k] = 2500 * unit(random);
        pose.translation()[2] = std::abs(pose.translation()[2]);
        const fcl::CollisionObjectd b(rob, pose);
        fcl::CollisionResultd one, all;
        fcl::collide(&a, &b, fcl::CollisionRequestd(1, false), one);
        fcl::collide(&a, &b, fcl::CollisionRequestd(1000000, true), all);
        fcl::DistanceResultd distance;
        fcl::distance(&a, &b, fcl::DistanceRequestd(true), distance);
        const double length = (distance.nearest_points[0] - distance.nearest_points[1]).norm();
        std::printf("%d %zu %.17g %.17g\n", int(one.isCollision()), all.numContacts(), distance.min_distance,
                    length);
    }
}
