// The library weir_flac, the only part that knows libFLAC.
#include <FLAC/stream_decoder.h>

#include <algorithm>
#include <stdexcept>

#include "weir/formats/flac/flac_file.h"

namespace weir::formats {
namespace {
using Decoder = std::unique_ptr<FLAC__StreamDecoder, void (*)(FLAC__StreamDecoder*)>;

class File final : public FlacFile {
 public:
  explicit File(const char* path)
      : decoder_(FLAC__stream_decoder_new(), &FLAC__stream_decoder_delete) {
    if (!decoder_) {
      throw std::bad_alloc();
    }
    const auto state = FLAC__stream_decoder_init_file(decoder_.get(), path, &take_block,
                                                      &take_metadata, &take_error, this);
    if (state != FLAC__STREAM_DECODER_INIT_STATUS_OK ||
        FLAC__stream_decoder_process_until_end_of_metadata(decoder_.get()) == 0 ||
        info_.channels == 0) {
      throw std::runtime_error("is no FLAC file");
    }
  }

  const FlacInfo& info() const noexcept override { return info_; }

  void read(std::int64_t first, std::span<std::int32_t> out) override {
    wanted_ = out;
    if (out.empty()) {
      return;
    }
    if (FLAC__stream_decoder_seek_absolute(decoder_.get(), static_cast<FLAC__uint64>(first)) == 0) {
      FLAC__stream_decoder_flush(decoder_.get());
      throw std::runtime_error("has no FLAC frame for sample " + std::to_string(first));
    }
    while (!wanted_.empty()) {
      const bool went_on = FLAC__stream_decoder_process_single(decoder_.get()) != 0;
      if (wanted_.empty()) {
        break;
      }
      if (!went_on || damaged_ ||
          FLAC__stream_decoder_get_state(decoder_.get()) == FLAC__STREAM_DECODER_END_OF_STREAM) {
        const auto missing = static_cast<std::int64_t>(wanted_.size()) / info_.channels;
        throw std::runtime_error("ends or is damaged " + std::to_string(missing) +
                                 " samples before sample " +
                                 std::to_string(first + std::ssize(out) / info_.channels));
      }
    }
  }

 private:
  /// Called with the samples of a block, after a seek from the one sought on.
  static FLAC__StreamDecoderWriteStatus take_block(const FLAC__StreamDecoder*,
                                                   const FLAC__Frame* frame,
                                                   const FLAC__int32* const channels[],
                                                   void* self) {
    auto& file = *static_cast<File*>(self);
    const auto width = static_cast<std::size_t>(file.info_.channels);
    if (frame->header.channels != width) {
      return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT;
    }
    const std::size_t count =
        std::min<std::size_t>(frame->header.blocksize, file.wanted_.size() / width);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t channel = 0; channel < width; ++channel) {
        file.wanted_[i * width + channel] = channels[channel][i];
      }
    }
    file.wanted_ = file.wanted_.subspan(count * width);
    return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
  }

  static void take_metadata(const FLAC__StreamDecoder*, const FLAC__StreamMetadata* metadata,
                            void* self) {
    if (metadata->type == FLAC__METADATA_TYPE_STREAMINFO) {
      const auto& told = metadata->data.stream_info;
      static_cast<File*>(self)->info_ = {.channels = told.channels,
                                         .bits = static_cast<int>(told.bits_per_sample),
                                         .samples = static_cast<std::int64_t>(told.total_samples)};
    }
  }

  static void take_error(const FLAC__StreamDecoder*, FLAC__StreamDecoderErrorStatus, void* self) {
    static_cast<File*>(self)->damaged_ = true;
  }

  Decoder decoder_;
  FlacInfo info_;
  std::span<std::int32_t> wanted_;  ///< What is still to be read.
  bool damaged_ = false;
};

std::unique_ptr<FlacFile> open(const char* path) {
  return std::make_unique<File>(path);
}
}  // namespace
}  // namespace weir::formats

extern "C" __attribute__((visibility("default"))) const weir::formats::FlacLibrary* weir_flac() {
  static constexpr weir::formats::FlacLibrary kLibrary{.open = &weir::formats::open};
  return &kLibrary;
}
