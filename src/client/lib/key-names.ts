/** The key that stands for Ctrl on this machine. */
const CTRL = navigator.userAgent.includes('Mac') ? '⌘' : 'Ctrl'

export const PALETTE_KEYS = [CTRL, 'K']
