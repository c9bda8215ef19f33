// The berth command with the reference kernels and delegates. A command with other ones is the same few lines.
#include <iostream>

#include "berth/cli/run.h"
#include "berth/reference/delegates.h"
#include "berth/reference/kernels.h"

int main(int argc, char** argv) {
  berth::module::KernelTable kernels;
  berth::module::DelegateTable delegates;
  for (const berth::Status& status :
       {berth::reference::add_reference_kernels(kernels), berth::reference::add_reference_delegates(delegates)}) {
    if (status.ok()) continue;
    std::cerr << "berth: " << status.message() << std::endl;
    return 70;
  }
  return berth::cli::run(argc, argv, kernels, delegates);
}
