// Assemblies, checks and reports: a part of impinge.hpp.
#ifndef IMPINGE_ASSEMBLY_HPP
#define IMPINGE_ASSEMBLY_HPP

#include "objects.hpp"

namespace impinge {

/// The result of a check.
class Report : public detail::Handle<impinge_report, impinge_report_free> {
public:
    using Handle::Handle;
    Result<impinge_coverage_counts> counts() const {
        impinge_coverage_counts counts{};
        const impinge_status status = impinge_report_counts(get(), &counts);
        return detail::result(status, counts);
    }
    Result<std::vector<impinge_finding>> findings() const {
        return detail::list<impinge_finding>(
            [&](impinge_finding *items, std::size_t capacity, std::size_t *count) {
                return impinge_report_findings(get(), items, capacity, count);
            });
    }
    Result<std::string> warning(std::size_t index) const {
        return detail::text([&](char *text, std::size_t capacity, std::size_t *count) {
            return impinge_report_warning(get(), index, text, capacity, count);
        });
    }
    /// An empty format is that of the path's extension.
    Done save(std::string_view path, std::string_view format = {}) const {
        return detail::done(
            impinge_report_save(get(), format.data(), format.size(), path.data(), path.size()));
    }
    Result<std::vector<std::uint8_t>> write(std::string_view format) const {
        return detail::list<std::uint8_t>([&](std::uint8_t *bytes, std::size_t capacity, std::size_t *count) {
            return impinge_report_write(get(), format.data(), format.size(), bytes, capacity, count);
        });
    }
};

/// Named parts.
class Assembly : public detail::Handle<impinge_assembly, impinge_assembly_free> {
public:
    Assembly() : Handle(make()) {}
    Done read(std::string_view path) {
        return detail::done(impinge_assembly_read(get(), path.data(), path.size()));
    }
    Done parse(Span<const std::uint8_t> bytes, std::string_view extension) {
        return detail::done(
            impinge_assembly_parse(get(), bytes.data(), bytes.size(), extension.data(), extension.size()));
    }
    Done add(std::string_view name, const Mesh &mesh, const Pose &pose = {}) {
        return detail::done(impinge_assembly_add(get(), name.data(), name.size(), mesh.get(), &pose));
    }
    /// The pose may scale, shear or mirror.
    Done add_affine(std::string_view name, const Mesh &mesh, const Pose &pose) {
        return detail::done(impinge_assembly_add_affine(get(), name.data(), name.size(), mesh.get(), &pose));
    }
    Result<std::size_t> part_count() const {
        std::size_t count = 0;
        const impinge_status status = impinge_assembly_part_count(get(), &count);
        return detail::result(status, count);
    }
    Result<std::string> part_name(std::size_t index) const {
        return detail::text([&](char *text, std::size_t capacity, std::size_t *count) {
            return impinge_assembly_part_name(get(), index, text, capacity, count);
        });
    }
    Result<Mesh> part_mesh(std::size_t index) const {
        return detail::create<Mesh, impinge_mesh>(
            [&](impinge_mesh **out) { return impinge_assembly_part_mesh(get(), index, out); });
    }
    Result<Report> check(const impinge_check_options &options = impinge_check_options_default()) const {
        return detail::create<Report, impinge_report>(
            [&](impinge_report **out) { return impinge_check(get(), &options, out); });
    }

private:
    static impinge_assembly *make() {
        impinge_assembly *assembly = nullptr;
        impinge_assembly_new(&assembly);
        return assembly;
    }
};

} // namespace impinge

#endif
