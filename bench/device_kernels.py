#!/usr/bin/env python3
"""bench/device_kernels.py [SCALE…]: times kernel files on an NVIDIA GPU, as shares of a device copy in the same run.

Compiles the .cl files as CUDA by NVRTC and launches them through the driver, as the engine does; needs a GPU, PyTorch (memory
and timing) and the CUDA toolkit's libnvrtc (or WEIR_NVRTC). One run is 384 channels x 60,000 x SCALE frames (default 1 32).
"""
import ctypes
import os
import sys

import numpy
import torch

CHANNELS = 384
DIALECT = "weir/compute/dialect/cuda.h"
nvrtc = ctypes.CDLL(os.environ.get("WEIR_NVRTC", "libnvrtc.so.13"))
driver = ctypes.CDLL("libcuda.so.1")


def require(status, what):
    if status != 0:
        raise SystemExit(f"{what}: error {status}")


def text_of(program, size_of, read):
    size = ctypes.c_size_t()
    size_of(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(size.value)
    read(program, text)
    return text


def compiled(path):
    """The module of a kernel file, with `real` = float."""
    with open(DIALECT) as dialect, open(path) as kernels:
        text = dialect.read().replace("#pragma once\n", "") + "typedef float real;\n" + kernels.read()
    program = ctypes.c_void_p()
    require(nvrtc.nvrtcCreateProgram(ctypes.byref(program), text.encode(), path.encode(), 0, None, None), "NVRTC")
    major, minor = torch.cuda.get_device_capability()
    options = [f"--gpu-architecture=sm_{major}{minor}".encode(), b"--fmad=false", b"--ftz=true"]
    if nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options)) != 0:
        raise SystemExit(text_of(program, nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog).value.decode())
    module = ctypes.c_void_p()
    code = text_of(program, nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN)
    require(driver.cuModuleLoadData(ctypes.byref(module), code), path)
    return module


class Kernel:
    """One entry. Arguments: tensors are buffers, tuples of one are `index`, integers are `int`."""

    def __init__(self, module, name):
        self.name = name
        self.handle = ctypes.c_void_p()
        require(driver.cuModuleGetFunction(ctypes.byref(self.handle), module, name.encode()), name)

    def launch(self, groups, items, local_bytes, *args):
        values = [self.value(argument) for argument in args]
        if local_bytes:
            values.append(ctypes.c_int(0))  # LOCAL_ARG
        pointers = (ctypes.c_void_p * len(values))(*[ctypes.cast(ctypes.byref(v), ctypes.c_void_p) for v in values])
        x, y = groups if isinstance(groups, tuple) else (groups, 1)
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        require(driver.cuLaunchKernel(self.handle, x, min(y, 65535), 1, items, 1, 1, local_bytes, stream, pointers, None),
                self.name)

    @staticmethod
    def value(argument):
        if isinstance(argument, torch.Tensor):
            return ctypes.c_void_p(argument.data_ptr())
        return ctypes.c_int64(argument[0]) if isinstance(argument, tuple) else ctypes.c_int(argument)


def median_ms(body, times=15):
    """The median of `times` runs after three that warm up."""
    measured = []
    for _ in range(times + 3):
        begin, end = torch.cuda.Event(True), torch.cuda.Event(True)
        begin.record()
        body()
        end.record()
        end.synchronize()
        measured.append(begin.elapsed_time(end))
    return sorted(measured[3:])[times // 2]


def groups_of(count, size):
    return (count + size - 1) // size


def table(values, dtype=torch.int32):
    return torch.tensor(values, dtype=dtype, device="cuda")


def show(what, ms, floor_ms, note=""):
    print(f"  {what}: {1e3 * ms:.0f} us, {100 * floor_ms / ms:.0f} % of copy {note}")


def common_reference(counts, floats, out, copy_ms):
    module = compiled("weir/signal/ops/common_reference/common_reference.cl")
    terms = table([1.0] * 2 * CHANNELS + [0.0] * CHANNELS, torch.float32)
    places = table([-1] * CHANNELS + [0] * CHANNELS)
    members = table([-1] * (CHANNELS // 32))
    offsets, channels = table([0, CHANNELS]), table(list(range(CHANNELS)))
    frames, words = floats.shape[0], CHANNELS // 32
    for integer, source, bytes_share in ((0, floats, 1), (1, counts, 0.75)):
        rows = (source, source, integer, (0,), (CHANNELS,), out, (0,), (CHANNELS,), terms, places)
        some = source[:2000].double().cpu().numpy()
        for name, size, items, local, lists in (
                ("median", 10, 128, 4 * 10 * (33 * (words + 1) + 1), (members,)),
                ("mean", 4, 128, 4 * 4 * 33, (offsets, channels))):
            kernel = Kernel(module, "reference_" + name)
            ms = median_ms(lambda: kernel.launch(groups_of(frames, size), items, local, *rows, *lists, (frames,), CHANNELS,
                                                 1, size))
            expected = some - getattr(numpy, name)(some, axis=1, keepdims=True)
            error = numpy.abs(out[:2000].cpu().numpy() - expected).max() / numpy.abs(expected).max()
            show(f"{name} of {'int16' if integer else 'float32'}", ms, bytes_share * copy_ms, f"(error {error:.1e})")


def crossings(floats, copy_ms):
    """Noise of 12 counts, events beyond 48, 1 ms of refractory time at 30 kHz."""
    module = compiled("weir/signal/ops/crossings/crossings.cl")
    kernels = {name: Kernel(module, "crossings_" + name) for name in ("begin", "mark", "summary", "walk", "peak")}
    frames, words = floats.shape[0], groups_of(floats.shape[0], 32)
    levels = table([-1.0] * CHANNELS + [48.0] * 2 * CHANNELS, torch.float32)
    previous = table([float("nan")] * CHANNELS, torch.float32)
    marks = torch.empty(2 * words * CHANNELS, dtype=torch.int32, device="cuda")
    some_marks = torch.empty(2 * groups_of(words, 32) * CHANNELS, dtype=torch.int32, device="cuda")
    capacity = CHANNELS * groups_of(frames, 31)
    events = torch.zeros(4 * (1 + capacity), dtype=torch.int64, device="cuda")
    fresh = table([-2**63, 0, 0, 0] * CHANNELS, torch.int64)
    lanes = fresh.clone()
    rows = (floats, (0,), (CHANNELS,), levels)
    groups = groups_of(CHANNELS, 64)

    def begin():
        lanes.copy_(fresh)
        kernels["begin"].launch(1, 64, 0, events)

    def mark():
        kernels["mark"].launch((groups, words), 64, 0, *rows, previous, marks, (frames,), CHANNELS, 1)

    def summary():
        kernels["summary"].launch((groups, 2 * groups_of(words, 32)), 64, 0, marks, some_marks, (frames,), CHANNELS, 1)

    def walk():
        kernels["walk"].launch(groups, 64, 0, *rows, previous, marks, some_marks, lanes, events, (capacity,), (0,), (frames,),
                               (0,), (30,), CHANNELS, 1, -1)

    def peak():
        kernels["peak"].launch(1024, 64, 0, *rows, lanes, events, (capacity,), (0,), (frames,), CHANNELS, 1)

    def whole():
        for part in (begin, mark, summary, walk, peak):
            part()

    times = {part.__name__: 1e3 * median_ms(part, 5) for part in (begin, mark)}
    ms = median_ms(whole, 5)
    show("crossings", ms, 0.5 * copy_ms, f"({int(events[0])} events; mark alone {times['mark']:.0f} us)")


def conversions(counts, floats, out, copy_ms):
    module = compiled("weir/op/device_convert.cl")
    ones, clipped = table([1.0] * CHANNELS, torch.float32), table([0] * CHANNELS)
    narrow, frames = torch.empty_like(counts), floats.shape[0]
    groups = (groups_of(CHANNELS, 64), min(frames, 2**20 // CHANNELS + 1))
    shift, to_int16 = Kernel(module, "shift_rows"), Kernel(module, "int16_rows")
    ends = ((frames,), CHANNELS)
    show("int16 to float32", median_ms(lambda: shift.launch(groups, 64, 0, counts, counts, 1, (0,), (CHANNELS,), out, (0,),
                                                            (CHANNELS,), ones, *ends)), 0.75 * copy_ms)
    show("float32 to int16", median_ms(lambda: to_int16.launch(groups, 64, 0, floats, (0,), (CHANNELS,), narrow, (0,),
                                                               (CHANNELS,), ones, clipped, *ends)), 0.75 * copy_ms)


def main():
    print(torch.cuda.get_device_name())
    for scale in [int(word) for word in sys.argv[1:]] or [1, 32]:
        generator = torch.Generator(device="cuda").manual_seed(1)
        floats = 12 * torch.randn(60_000 * scale, CHANNELS, device="cuda", generator=generator)
        counts = floats.round().to(torch.int16)
        out = torch.empty_like(floats)
        copy_ms = median_ms(lambda: out.copy_(floats))
        print(f"x{scale}: a copy takes {1e3 * copy_ms:.0f} us, {8e-9 * floats.numel() / copy_ms:.2f} TB/s read and written")
        common_reference(counts, floats, out, copy_ms)
        crossings(floats, copy_ms)
        conversions(counts, floats, out, copy_ms)


if __name__ == "__main__":
    main()
