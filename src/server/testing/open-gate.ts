import type { HostGate } from '../feed/host-gate'

/** Keeps nobody waiting. */
export const openGate: HostGate = { enter: async () => () => undefined }
