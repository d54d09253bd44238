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
    27,
    54,
    77
  ],
  "chunk_order": "F",
  "comp_level": -1,
  "do_spatial_diff": true,
  "do_time_diff": true,
  "dtype": "int16",
  "n_channels": 5,
  "sample_rate": 1000.0,
  "sha1_compressed": "f1aefde62f8e92fcbbb8760bd4f5fe02c87991fd",
  "sha1_uncompressed": "aa15d50d66535d4500934477535f8c2b2de41d46",
  "shape": [
    257,
    5
  ],
  "version": "1.0"
}