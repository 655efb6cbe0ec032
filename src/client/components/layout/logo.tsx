/** The product's logo: a suspension bridge with two towers. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#2f54d1" />
      <g fill="none" stroke="#fff" strokeWidth="2.2" strokeLinecap="round" strokeLinejoin="round">
        <path d="M5 21.5h22M11 8v17M21 8v17" />
        <path d="M5 17c3.4 0 6-4.2 6-9 0 4.8 2.2 9 5 9s5-4.2 5-9c0 4.8 2.6 9 6 9" opacity=".85" />
      </g>
    </svg>
  )
}
