"""Opens libcamera's virtual camera by the real picamera2.

The virtual camera has no raw stream and wants its NV12 buffers in two planes;
picamera2 expects a Pi, so these two are taught to it here.
"""

import mmap
import os
from typing import Any

import libcamera
from picamera2 import Picamera2
from picamera2.allocators import DmaAllocator
from picamera2.picamera2 import VIEWFINDER


class TwoPlaneAllocator(DmaAllocator):
    """Buffers with luma and chroma as planes of one handle."""

    def allocate(self, libcamera_config: Any, _: Any) -> None:
        self.libcamera_fds = []
        self.cleanup()
        for handle in self.open_fds:
            os.close(handle)
        self.frame_buffers, self.open_fds = {}, []
        for stream in libcamera_config:
            self.frame_buffers[stream.stream] = [
                self._buffer(stream, number) for number in range(stream.buffer_count)
            ]

    def _buffer(self, stream: Any, number: int) -> Any:
        handle = self.dmaHeap.alloc(f"virtual{number}", stream.frame_size)
        self.open_fds.append(handle.get())
        luma = stream.stride * stream.size.height
        planes = []
        for offset, length in ((0, luma), (luma, stream.frame_size - luma)):
            plane = libcamera.FrameBuffer.Plane()
            plane.fd, plane.offset, plane.length = handle.get(), offset, length
            planes.append(plane)
        # The binding duplicates the handle: ask the plane, not the one it was given.
        self.libcamera_fds.append(planes[0].fd)
        self.mapped_buffers_used[planes[0].fd] = False
        buffer = libcamera.FrameBuffer(planes)
        self.mapped_buffers[buffer] = mmap.mmap(
            handle.get(),
            stream.frame_size,
            mmap.MAP_SHARED,
            mmap.PROT_READ | mmap.PROT_WRITE,
        )
        return buffer


class VirtualCamera(Picamera2):
    """Picamera2 on the virtual camera."""

    def __init__(self) -> None:
        super().__init__(allocator=TwoPlaneAllocator())

    def _get_raw_modes(self) -> list[dict[str, Any]]:
        formats = self.camera.generate_configuration([VIEWFINDER]).at(0).formats
        return [
            {"format": str(pixels), "size": (size.width, size.height)}
            for pixels in formats.pixel_formats
            for size in formats.sizes(pixels)
        ]
