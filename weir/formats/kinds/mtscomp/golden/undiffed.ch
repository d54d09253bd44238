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
    1011,
    2022,
    2603
  ],
  "chunk_order": "F",
  "comp_level": -1,
  "do_spatial_diff": false,
  "do_time_diff": false,
  "dtype": "uint16",
  "n_channels": 5,
  "sample_rate": 1000.0,
  "sha1_compressed": "ea87548d87b5f48499584b734837dbbd1e9b57dd",
  "sha1_uncompressed": "ab42f68b10bf398c4d8087a75954586aaa08a3e2",
  "shape": [
    257,
    5
  ],
  "version": "1.0"
}