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
    42,
    84,
    117
  ],
  "chunk_order": "F",
  "comp_level": -1,
  "do_spatial_diff": false,
  "do_time_diff": true,
  "dtype": "int16",
  "n_channels": 5,
  "sample_rate": 1000.0,
  "sha1_compressed": "1b76f9a3e3c33f0bb285bc0c702a7dd27b495d55",
  "sha1_uncompressed": "aa15d50d66535d4500934477535f8c2b2de41d46",
  "shape": [
    257,
    5
  ],
  "version": "1.0"
}