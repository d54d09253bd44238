#pragma once
/* The kernel dialect as CUDA C++ for NVRTC, which includes nothing by itself. */
#define KERNEL extern "C" __global__
#define FUNCTION static __device__ inline
#define GLOBAL
#define LOCAL
#define RESTRICT __restrict__
#define LOCAL_ARG const int local_bytes
#define LOCAL_MEM(type, name)                          \
  extern __shared__ unsigned char weir_local_memory[]; \
  type* name = (type*)weir_local_memory
#define SYNC __syncthreads()
#define GLOBAL_ID ((index)blockIdx.x * blockDim.x + threadIdx.x)
#define GLOBAL_ID_1 ((index)blockIdx.y * blockDim.y + threadIdx.y)
#define GLOBAL_SIZE ((index)gridDim.x * blockDim.x)
#define GLOBAL_SIZE_1 ((index)gridDim.y * blockDim.y)
#define LOCAL_ID ((int)threadIdx.x)
#define LOCAL_SIZE ((int)blockDim.x)
#define GROUP_ID ((index)blockIdx.x)
#define GROUP_COUNT ((index)gridDim.x)
#define FMA(a, b, c) fma(a, b, c)
#define SELECT(condition, yes, no) ((condition) ? (yes) : (no))
#define AS_INT(x) __float_as_int(x)
#define AS_FLOAT(x) __int_as_float(x)
#define ROUND_EVEN(x) rint(x)
#define ABS(x) fabs(x)
#define IS_NAN(x) ((x) != (x))
#define POPCOUNT(x) ((int)__popc(x))
#define LEADING_ZEROS(x) ((int)__clz(x))
#define ATOMIC_ADD(pointer, value) atomicAdd((int*)(pointer), value)
#define LESSER(a, b) weir_lesser(a, b)
#define GREATER(a, b) weir_greater(a, b)
#define LOAD_FOUR(to, from) weir_load_four(to, from)
#define UNROLL _Pragma("unroll")
typedef long long index;
typedef struct {
  float at[128];
} floats128;

/* Of two floats, NaN where either is: one instruction from compute capability 8.0 on, for which the
   language has no name. Source: PTX ISA 7.0, min and max with .NaN. */
#if __CUDA_ARCH__ >= 800
inline __device__ float weir_lesser(float a, float b) {
  float lesser;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(lesser) : "f"(a), "f"(b));
  return lesser;
}
inline __device__ float weir_greater(float a, float b) {
  float greater;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(greater) : "f"(a), "f"(b));
  return greater;
}
#else
inline __device__ float weir_lesser(float a, float b) {
  return a < b ? a : (a >= b ? b : __int_as_float(0x7fffffff));
}
inline __device__ float weir_greater(float a, float b) {
  return a > b ? a : (a <= b ? b : __int_as_float(0x7fffffff));
}
#endif

/* Four values that lie on a multiple of four, in as few accesses as there can be. */
inline __device__ void weir_load_four(float* to, const float* from) {
  const float4 four = *(const float4*)from;
  to[0] = four.x;
  to[1] = four.y;
  to[2] = four.z;
  to[3] = four.w;
}
inline __device__ void weir_load_four(double* to, const double* from) {
  const double2 low = ((const double2*)from)[0];
  const double2 high = ((const double2*)from)[1];
  to[0] = low.x;
  to[1] = low.y;
  to[2] = high.x;
  to[3] = high.y;
}
