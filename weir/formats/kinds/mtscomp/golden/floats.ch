{
  "algorithm": "zlib",
  "chunk_bounds": [
    0,
    100,
    200,
    257
  ],
  "chunk_offsets": [
    0,
    1556,
    3118,
    4028
  ],
  "chunk_order": "F",
  "comp_level": -1,
  "do_spatial_diff": false,
  "do_time_diff": false,
  "dtype": "float32",
  "n_channels": 5,
  "sample_rate": 1000.0,
  "sha1_compressed": "a1cd322c491cfbda5f1599c5e9714bd81abf27bc",
  "sha1_uncompressed": "eb559fa7f8cfd38f41261e6cb4c072ed6b316fee",
  "shape": [
    257,
    5
  ],
  "version": "1.0"
}