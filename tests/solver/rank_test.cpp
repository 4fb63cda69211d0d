// SPDX-License-Identifier: BSD-2-Clause
// Ranks by a factorisation with pivots are those by singular values, or none; and singular vectors
// are those of the matrix.
#include <catch2/catch.hpp>
#include <random>
#include <stdexcept>

#include "dae/index/ranks.hpp"

namespace saltus::index {
namespace {

// Entries in (-1, 1), of the given rank, with rows and columns of sizes from 1 to 1e-3.
Matrix random_matrix(Eigen::Index rows, Eigen::Index columns, Eigen::Index rank,
                     std::mt19937_64& engine) {
  std::uniform_real_distribution<double> entry(-1.0, 1.0), size(-3.0, 0.0);
  const auto fill = [&](Eigen::Index m, Eigen::Index n) {
    return Matrix::NullaryExpr(m, n, [&] { return entry(engine); }).eval();
  };
  const auto sizes = [&](Eigen::Index n) {
    return Vector::NullaryExpr(n, [&] { return std::pow(10.0, size(engine)); }).eval();
  };
  const Matrix product = fill(rows, rank) * fill(rank, columns);
  return sizes(rows).asDiagonal() * product * sizes(columns).asDiagonal();
}

void give_up(const Vector&, double, double) { throw std::runtime_error("undecided"); }

RankJudge judge(RankJudge::Bases bases) { return {IndexOptions{}, &give_up, bases}; }

}  // namespace

TEST_CASE("a factorisation with pivots decides as singular values do", "[RankJudge]") {
  std::mt19937_64 engine(7);
  for (int round = 0; round < 300; ++round) {
    const auto below = [&](std::uint64_t n) { return static_cast<Eigen::Index>(engine() % n); };
    const Eigen::Index rows = 1 + below(30), columns = 1 + below(30);
    const Eigen::Index rank = below(static_cast<std::uint64_t>(std::min(rows, columns)) + 1);
    const Matrix A = random_matrix(rows, columns, rank, engine);
    RankJudge exact = judge(RankJudge::Bases::of_singular_vectors);
    RankJudge quick = judge(RankJudge::Bases::any);
    INFO(rows << " by " << columns << " of rank " << rank);
    int expected = -1, found = -1;
    try {
      expected = exact.decompose(A, RankJudge::Want::range).rank;
    } catch (const std::runtime_error&) {
    }
    try {
      const Decomposition parts = quick.decompose(A, RankJudge::Want::range_and_kernel);
      found = parts.rank;
      const double size = A.norm() + 1e-300;
      CHECK((parts.complement.transpose() * A).norm() <= 1e-9 * size);
      CHECK((A * parts.kernel).norm() <= 1e-9 * size);
      CHECK(parts.kernel.cols() == columns - found);
      CHECK((parts.kernel.transpose() * parts.kernel -
             Matrix::Identity(parts.kernel.cols(), parts.kernel.cols()))
                .norm() < 1e-12);
    } catch (const std::runtime_error&) {
    }
    CHECK(found == expected);
    CHECK((expected == -1 || expected == rank));
  }
}

// What equations of networks are made of. Eigen's divide and conquer is off by a tenth or all on
// some of each hundred.
TEST_CASE("singular vectors of ones and zeros are right", "[RankJudge]") {
  std::mt19937_64 engine(11);
  for (int round = 0; round < 200; ++round) {
    const auto below = [&](Eigen::Index n) {
      return static_cast<Eigen::Index>(engine() % static_cast<std::uint64_t>(n));
    };
    const Eigen::Index rows = 17 + below(40), columns = 17 + below(40);
    Matrix A = Matrix::Zero(rows, columns);
    for (Eigen::Index k = 0; k < rows + columns; ++k) {
      A(below(rows), below(columns)) = below(2) == 0 ? -1.0 : 1.0;
    }
    INFO("round " << round << ": " << rows << " by " << columns);
    const Decomposition parts = judge(RankJudge::Bases::of_singular_vectors)
                                    .decompose(A, RankJudge::Want::range_and_kernel);
    const double size = A.norm();
    CHECK((parts.complement.transpose() * A).norm() <= 1e-12 * size);
    CHECK((A * parts.kernel).norm() <= 1e-12 * size);
    CHECK(parts.rank == Eigen::FullPivLU<Matrix>(A).rank());
    const Vector sigma = singular_values(A);
    CHECK(sigma.squaredNorm() == Approx(size * size).epsilon(1e-12));
  }
}

// Entries whose products are no numbers any more, of rank one beside one large entry.
TEST_CASE("singular vectors of a matrix with a tiny block are right", "[RankJudge]") {
  std::mt19937_64 engine(12);
  for (int round = 0; round < 50; ++round) {
    const Eigen::Index n = 17 + static_cast<Eigen::Index>(engine() % 60);
    Matrix A = 1e-200 * random_matrix(n, n, 3, engine);
    A(0, 0) += 1e100;
    INFO("round " << round << ": " << n);
    const Decomposition parts = judge(RankJudge::Bases::of_singular_vectors)
                                    .decompose(A, RankJudge::Want::range_and_kernel);
    CHECK(parts.rank == 1);
    CHECK((parts.complement.transpose() * A).norm() <= 1e-12 * A.norm());
  }
}

}  // namespace saltus::index
