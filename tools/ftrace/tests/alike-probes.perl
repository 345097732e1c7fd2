# SPDX-License-Identifier: GPL-2.0
# Masks in the output of alike-probes.sh of the guest what differs from boot to boot and between
# the kernels. Used by compare-stock.sh of the host.

# The length of an array, which is also in the print fmt, and the filter of an eprobe.
s/^\tfield:[us]\d+ \w+\[\K\d+(?=\];)//;
s/^e:.*?\K if .*//;
# Addresses, and offsets in functions.
s/\b0x[89a-f][\da-f]{7,15}\b/address/g;
s/\+0x[\da-f]+\/0x[\da-f]+/+offset\/size/g;
