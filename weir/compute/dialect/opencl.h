#pragma once
/* The kernel dialect as OpenCL C 1.2. */
#pragma OPENCL FP_CONTRACT OFF
#define KERNEL __kernel
#define FUNCTION static inline
#define GLOBAL __global
#define LOCAL __local
#define RESTRICT restrict
#define LOCAL_ARG __local long* local_bytes /* as aligned as any type a kernel makes of it */
#define LOCAL_MEM(type, name) __local type* name = (__local type*)local_bytes
#define SYNC barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define GLOBAL_ID ((index)get_global_id(0))
#define GLOBAL_ID_1 ((index)get_global_id(1))
#define GLOBAL_SIZE ((index)get_global_size(0))
#define GLOBAL_SIZE_1 ((index)get_global_size(1))
#define LOCAL_ID ((int)get_local_id(0))
#define LOCAL_SIZE ((int)get_local_size(0))
#define GROUP_ID ((index)get_group_id(0))
#define GROUP_COUNT ((index)get_num_groups(0))
#define FMA(a, b, c) fma(a, b, c)
#define SELECT(condition, yes, no) ((condition) ? (yes) : (no))
#define AS_INT(x) as_int(x)
#define AS_FLOAT(x) as_float(x)
#define ROUND_EVEN(x) rint(x)
#define ABS(x) fabs(x)
#define IS_NAN(x) ((x) != (x))
#define POPCOUNT(x) ((int)popcount(x))
#define LEADING_ZEROS(x) ((int)clz(x))
#define ATOMIC_ADD(pointer, value) atomic_add(pointer, value)
#define LESSER(a, b) weir_lesser(a, b)
#define GREATER(a, b) weir_greater(a, b)
#define LOAD_FOUR(to, from) vstore4(vload4(0, from), 0, to)
#define UNROLL _Pragma("unroll")
typedef long index;
typedef struct {
  float at[128];
} floats128;

/* Of two floats, NaN where either is: fmin and fmax would hide it. */
static inline float weir_lesser(float a, float b) {
  return a < b ? a : (a >= b ? b : as_float(0x7fc00000));
}
static inline float weir_greater(float a, float b) {
  return a > b ? a : (a <= b ? b : as_float(0x7fc00000));
}
