# SPDX-License-Identifier: GPL-2.0
# Masks in what alike-probes.sh of the guest prints what may differ from boot to boot and from
# kernel to kernel: alike.sh.

# How many elements an array has is in its print fmt; and what an event probe asks for.
s/^\tfield:[us]\d+ \w+\[\K\d+(?=\];)//;
s/^e:.*?\K if .*//;
# Addresses, and where in which function a call is.
s/\b0x[89a-f][\da-f]{7,15}\b/address/g;
s/\+0x[\da-f]+\/0x[\da-f]+/+offset\/size/g;
