// BERTH_API marks what libberth.so exports; everything else in it is hidden.
#pragma once

#define BERTH_API [[gnu::visibility("default")]]
