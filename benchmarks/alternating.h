// Medians of variants that are measured in strict alternation, so that a machine that changes its speed changes all of
// them. Give the same variant twice (A/A) to see what difference means nothing.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace berth::bench {

struct Variant {
  std::string name;
  std::function<void(std::size_t operations)> run;
};

// Nanoseconds for one operation of each variant: the median over `rounds` batches of `operations`.
inline std::vector<double> alternate(const std::vector<Variant>& variants, std::size_t rounds, std::size_t operations) {
  using Clock = std::chrono::steady_clock;
  std::vector<std::vector<double>> samples(variants.size());
  for (const Variant& variant : variants) variant.run(operations);  // warm
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < variants.size(); ++i) {
      const auto start = Clock::now();
      variants[i].run(operations);
      const std::chrono::duration<double, std::nano> spent = Clock::now() - start;
      samples[i].push_back(spent.count() / static_cast<double>(operations));
    }
  }
  std::vector<double> medians;
  for (auto& sample : samples) {
    std::nth_element(sample.begin(), sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2), sample.end());
    medians.push_back(sample[sample.size() / 2]);
  }
  return medians;
}

}  // namespace berth::bench
