import type { ReactNode } from 'react'

import { formatCount } from '../../../shared/format'
import type { FileProblem } from '../../../shared/schemas/file'

import classes from './problem-list.module.css'

/** What a place in a file is called. */
export type Place = 'Line' | 'Row' | 'Record'

interface ProblemListProps {
  title: string
  problems: FileProblem[]
  place?: Place
  /** What people can do about a problem, after its message. */
  renderAction?: (problem: FileProblem) => ReactNode
}

/** Problems of a file, each with its first line and how often it occurs. */
export function ProblemList({ title, problems, place = 'Line', renderAction }: ProblemListProps) {
  const hasLines = problems.some(({ line }) => line !== null)
  return (
    <section className={classes.problems} aria-label="Problems in the file">
      <h3 className={classes.title}>{title}</h3>
      <ul className={classes.list}>
        {problems.map((problem) => (
          <li key={`${problem.line}:${problem.message}`}>
            {hasLines && (
              <span className={classes.line}>
                {problem.line === null ? 'Whole file' : `${place} ${formatCount(problem.line)}`}
              </span>
            )}
            <span>
              {problem.message}
              {problem.count > 1 && ` (${formatCount(problem.count)} times)`}
              {renderAction?.(problem)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
