import type { Scene } from './guides'

import classes from './guide-picture.module.css'

const WIDTH = 340
const HEIGHT = 196
const BAR = 26

/** A drawn window of a program, in which the place of a step is marked; the step's text says the same. */
export function GuidePicture({ scene }: { scene: Scene }) {
  return (
    <svg className={classes.picture} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <rect
        className={classes.window}
        x={0.5}
        y={0.5}
        width={WIDTH - 1}
        height={HEIGHT - 1}
        rx={9}
      />
      <path
        className={classes.bar}
        d={`M.5 ${BAR}V9.5A9 9 0 0 1 9.5.5H${WIDTH - 9.5}a9 9 0 0 1 9 9V${BAR}z`}
      />
      {[14, 25, 36].map((x) => (
        <circle key={x} className={classes.dot} cx={x} cy={13} r={3} />
      ))}
      <text className={classes.program} x={WIDTH / 2} y={17} textAnchor="middle">
        {scene.program}
      </text>
      <Content scene={scene} />
    </svg>
  )
}

function Content({ scene }: { scene: Scene }) {
  if (scene.kind === 'menu') return <MenuScene {...scene} />
  if (scene.kind === 'form') return <FormScene {...scene} />
  if (scene.kind === 'ribbon') return <RibbonScene {...scene} />
  if (scene.kind === 'sheet') return <SheetScene {...scene} />
  return <CodeScene {...scene} />
}

type SceneOf<Kind extends Scene['kind']> = Extract<Scene, { kind: Kind }>

const TAB_PADDING = 14
/** About as wide as a character of the pictures' small print. */
const CHARACTER = 5.3

/** How long lines of text that nobody reads are. */
const BLANKS = [0.86, 1, 0.72, 0.54]

const widthOf = (text: string) => text.length * CHARACTER

function MenuScene({ items, active, tabs, tab, button }: SceneOf<'menu'>) {
  const menuWidth = Math.max(...items.map(widthOf)) + 34
  const x = menuWidth + 16
  return (
    <>
      <path className={classes.line} d={`M${menuWidth} ${BAR}V${HEIGHT - 1}`} />
      {items.map((item, place) => (
        <MenuItem key={item} y={40 + place * 28} width={menuWidth - 16} isActive={item === active}>
          {item}
        </MenuItem>
      ))}
      {tabs && <Tabs x={x} tabs={tabs} active={tab} />}
      <Button x={x} y={tabs ? 72 : 42}>
        {button}
      </Button>
      {BLANKS.map((part, place) => (
        <rect
          key={part}
          className={classes.blank}
          x={x}
          y={108 + place * 18}
          width={(WIDTH - x - 20) * part}
          height={7}
          rx={3.5}
        />
      ))}
    </>
  )
}

interface MenuItemProps {
  y: number
  width: number
  isActive: boolean
  children: string
}

function MenuItem({ y, width, isActive, children }: MenuItemProps) {
  return (
    <>
      {isActive && <rect className={classes.marked} x={8} y={y} width={width} height={23} rx={5} />}
      <text className={isActive ? classes.strong : classes.dim} x={16} y={y + 15}>
        {children}
      </text>
    </>
  )
}

function Tabs({ x, tabs, active }: { x: number; tabs: string[]; active: string | undefined }) {
  const starts = tabs.map((_, place) =>
    tabs.slice(0, place).reduce((sum, tab) => sum + widthOf(tab) + TAB_PADDING, x),
  )
  return tabs.map((tab, place) => (
    <g key={tab}>
      <text className={tab === active ? classes.strong : classes.dim} x={starts[place]} y={48}>
        {tab}
      </text>
      {tab === active && (
        <rect
          className={classes.accent}
          x={starts[place]}
          y={54}
          width={widthOf(tab)}
          height={2.5}
          rx={1.25}
        />
      )}
    </g>
  ))
}

function Button({ x, y, children }: { x: number; y: number; children: string }) {
  const width = widthOf(children) + 22
  return (
    <>
      <rect className={classes.button} x={x} y={y} width={width} height={23} rx={5} />
      <text className={classes.onButton} x={x + width / 2} y={y + 15} textAnchor="middle">
        {children}
      </text>
    </>
  )
}

const FIELD_X = 132

function FormScene({ title, rows, button }: SceneOf<'form'>) {
  return (
    <>
      <text className={classes.title} x={20} y={52}>
        {title}
      </text>
      {rows.map(([label, value], place) => (
        <g key={label} transform={`translate(0 ${66 + place * 29})`}>
          <text className={classes.dim} x={20} y={15}>
            {label}
          </text>
          <rect
            className={value.startsWith('https:') ? classes.target : classes.field}
            x={FIELD_X}
            y={0}
            width={WIDTH - FIELD_X - 20}
            height={23}
            rx={5}
          />
          <text className={classes.strong} x={FIELD_X + 9} y={15}>
            {value}
          </text>
        </g>
      ))}
      <Button x={FIELD_X} y={70 + rows.length * 29}>
        {button}
      </Button>
    </>
  )
}

function RibbonScene({ tabs, tab, path }: SceneOf<'ribbon'>) {
  return (
    <>
      <Tabs x={20} tabs={tabs} active={tab} />
      <path className={classes.line} d={`M1 62H${WIDTH - 1}`} />
      {path.map((item, place) => (
        <g key={item} transform={`translate(${20 + place * 74} ${74 + place * 36})`}>
          {place > 0 && <path className={classes.arrow} d="M-12 -13V12H-4M-8 8l4 4-4 4" />}
          <rect
            className={place === path.length - 1 ? classes.marked : classes.field}
            width={widthOf(item) + 22}
            height={24}
            rx={5}
          />
          <text className={classes.strong} x={11} y={16}>
            {item}
          </text>
        </g>
      ))}
    </>
  )
}

const COLUMNS = ['A', 'B', 'C', 'D']
const CELL = { width: 78, height: 24 }

function SheetScene({ formula }: SceneOf<'sheet'>) {
  return (
    <>
      <text className={classes.dim} x={14} y={46}>
        fx
      </text>
      <text className={classes.code} x={34} y={46}>
        {formula}
      </text>
      <path className={classes.line} d={`M1 58H${WIDTH - 1}`} />
      {COLUMNS.map((name, place) => (
        <g key={name} transform={`translate(${26 + place * CELL.width} 58)`}>
          <path className={classes.line} d={`M0 0V${HEIGHT - 59}`} />
          <text className={classes.dim} x={CELL.width / 2} y={16} textAnchor="middle">
            {name}
          </text>
        </g>
      ))}
      {[1, 2, 3, 4].map((row) => (
        <g key={row} transform={`translate(0 ${58 + row * CELL.height})`}>
          <path className={classes.line} d={`M1 0H${WIDTH - 1}`} />
          <text className={classes.dim} x={13} y={16} textAnchor="middle">
            {row}
          </text>
        </g>
      ))}
      <rect className={classes.target} x={26} y={82} width={CELL.width} height={CELL.height} />
      <svg x={27} y={83} width={CELL.width - 3} height={CELL.height - 2}>
        <text className={classes.code} x={6} y={15}>
          {formula}
        </text>
      </svg>
    </>
  )
}

function CodeScene({ lines }: SceneOf<'code'>) {
  return (
    <>
      <rect
        className={classes.field}
        x={16}
        y={42}
        width={WIDTH - 32}
        height={HEIGHT - 60}
        rx={6}
      />
      {lines.map((line, place) => (
        <text key={line} className={classes.code} x={30} y={68 + place * 22} xmlSpace="preserve">
          {line}
        </text>
      ))}
      <rect className={classes.accent} x={30} y={60 + lines.length * 22} width={6} height={12} />
    </>
  )
}
