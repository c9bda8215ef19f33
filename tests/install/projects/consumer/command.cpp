// The berth command with kernels and delegates of the user's choice: here the reference ones.
#include <berth/berth.h>
#include <berth/cli/run.h>

int main(int argc, char** argv) {
  berth::module::KernelTable kernels;
  berth::module::DelegateTable delegates;
  if (!berth::reference::add_reference_kernels(kernels).ok()) return 70;
  if (!berth::reference::add_reference_delegates(delegates).ok()) return 70;
  return berth::cli::run(argc, argv, kernels, delegates);
}
