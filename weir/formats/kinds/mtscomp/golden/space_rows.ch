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
    63,
    133,
    183
  ],
  "chunk_order": "C",
  "comp_level": -1,
  "do_spatial_diff": true,
  "do_time_diff": true,
  "dtype": "int32",
  "n_channels": 5,
  "sample_rate": 1000.0,
  "sha1_compressed": "451adcba22c6e5259e4c041af90032d9ff8df163",
  "sha1_uncompressed": "a58d1e8aa792faa744a22bf54ea285beb457ae71",
  "shape": [
    257,
    5
  ],
  "version": "1.0"
}