#include "weir/signal/window.h"
