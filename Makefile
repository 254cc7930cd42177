# Two commands: `make demo` shows the product with no hardware, `make test` proves it.
# Both set up all they need; see systemd/prepare for what that is on this machine.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: demo test check kernels slow pictures cameras rp2040 clean

demo: $(VENV)/.ready-demo
	$(BIN)/carrom demo $(DEMO)

# One core checks while the other compiles the kernels that both workers will want.
test: $(VENV)/.ready-test
	$(MAKE) --no-print-directory -j2 check kernels
	$(BIN)/pytest -m "not slow and not hardware" -n 2 $(TESTS)

check: $(VENV)/.ready-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python firmware/protocol/generate.py --check
	$(BIN)/python firmware/board.py --check
	$(BIN)/python docs/build/generate.py --check

kernels: $(VENV)/.ready-test
	$(BIN)/python -m tests.kernels

slow: $(VENV)/.ready-test
	$(BIN)/pytest -m "slow and not hardware" $(TESTS)

# The Pi camera's source on the real picamera2: Debian 13 with libcamera's virtual
# camera in a folder of its own (root, 1.2 GB, three minutes the first time).
CAMERA_ROOT ?= /var/tmp/carrom-virtual-camera
cameras: $(VENV)/.ready-test
	tests/cameras/virtual/prepare $(CAMERA_ROOT)
	CARROM_VIRTUAL_CAMERA=$(CAMERA_ROOT) $(BIN)/pytest tests/cameras $(TESTS)

# The Pico's image, built and run in an emulated RP2040: an ARM compiler (850 MB) and an
# npm package in a folder of its own.
RP2040_ROOT ?= /var/tmp/carrom-rp2040js
rp2040: $(VENV)/.ready-test
	firmware/emulator/pico/prepare $(RP2040_ROOT)
	CARROM_RP2040JS=$(RP2040_ROOT) $(BIN)/pytest -m pico tests/sensing $(TESTS)

pictures: $(VENV)/.ready-test
	$(BIN)/python docs/pictures/make.py

$(VENV)/.ready-%: pyproject.toml systemd/prepare
	PYTHON=$(PYTHON) VENV=$(VENV) systemd/prepare $*
	touch $@

clean:
	rm -rf $(VENV) out .pytest_cache .mypy_cache .ruff_cache .hypothesis
