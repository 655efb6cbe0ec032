import { Logo } from '../../components/layout/logo'

import classes from './brand-panel.module.css'

/** The side panel of /auth on wide screens: name, tagline and a drawing of a bridge. */
export function BrandPanel({ appName }: { appName: string }) {
  return (
    <aside className={classes.panel} aria-label="About">
      <BridgeDrawing />
      <div className={classes.name}>
        <Logo size={32} />
        {appName}
      </div>
      <div className={classes.texts}>
        <p className={classes.tagline}>Effortlessly manage your retailers and inventory sharing</p>
        <p className={classes.marketing}>Expand your business with our all-in-one B2B platform</p>
      </div>
    </aside>
  )
}

const TOWERS = [250, 650]
const DECK_Y = 560
const TOWER_TOP_Y = 330
const SAG_Y = 525

/** The cable's y coordinate at `x`: a parabola between the towers, half of one outside each. */
function cableY(x: number): number {
  const [left, right] = [TOWERS[0] ?? 0, TOWERS[1] ?? 0]
  const middle = (left + right) / 2
  const anchor = x < middle ? left - (right - left) / 2 : right + (right - left) / 2
  const bottom = x >= left && x <= right ? middle : anchor
  const reach = (right - left) / 2
  return SAG_Y - (SAG_Y - TOWER_TOP_Y) * ((x - bottom) / reach) ** 2
}

const POINTS = Array.from({ length: 46 }, (_, index) => index * 20)
const CABLE = POINTS.map((x) => `${x},${cableY(x).toFixed(1)}`).join(' ')
/** Boxes on the deck as [x, width]. */
const CARGO = [
  [70, 26],
  [104, 16],
  [128, 34],
  [330, 18],
  [356, 30],
  [394, 14],
  [540, 30],
  [578, 20],
  [730, 16],
  [754, 28],
  [790, 22],
] as const

function BridgeDrawing() {
  return (
    <svg
      className={classes.drawing}
      viewBox="0 0 900 760"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
      focusable="false"
    >
      <g stroke="#fff" fill="none">
        {POINTS.map((x) => (
          <line key={x} x1={x} x2={x} y1={cableY(x)} y2={DECK_Y} strokeOpacity="0.16" />
        ))}
        <polyline points={CABLE} strokeOpacity="0.75" strokeWidth="2.5" />
        {TOWERS.map((x) => (
          <g key={x} strokeOpacity="0.85" strokeWidth="5" strokeLinecap="round">
            <line x1={x - 9} x2={x - 9} y1={TOWER_TOP_Y - 18} y2="900" />
            <line x1={x + 9} x2={x + 9} y1={TOWER_TOP_Y - 18} y2="900" />
            <path d={`M${x - 9} 380h18M${x - 9} 440h18M${x - 9} 500h18`} strokeWidth="3" />
          </g>
        ))}
        <line x1="0" x2="900" y1={DECK_Y} y2={DECK_Y} strokeWidth="5" strokeOpacity="0.9" />
        <line x1="0" x2="900" y1={DECK_Y + 11} y2={DECK_Y + 11} strokeOpacity="0.3" />
        {[620, 650, 686, 728].map((y) => (
          <line key={y} x1="0" x2="900" y1={y} y2={y} strokeOpacity="0.07" />
        ))}
      </g>
      {CARGO.map(([x, width]) => (
        <rect
          key={x}
          x={x}
          y={DECK_Y - 16}
          width={width}
          height="13"
          rx="2.5"
          fill="#fff"
          fillOpacity="0.55"
        />
      ))}
    </svg>
  )
}
