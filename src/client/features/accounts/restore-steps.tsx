import { Text, Title } from '@mantine/core'

import { ProgressBar } from '../../components/feedback/progress-bar'

import classes from './restore-steps.module.css'

interface RestoreStepsProps {
  lines: readonly string[]
  /** The data are being replaced: the installation does not answer. */
  isPlacing: boolean
}

/** What a restore has done so far; the last line is what it does now. */
export function RestoreSteps({ lines, isPlacing }: RestoreStepsProps) {
  return (
    <>
      <Title order={1}>Restoring the backup</Title>
      <Text c="dimmed" mt={4} mb="xl">
        This goes on if you close the page.
      </Text>
      <ProgressBar label="Restoring the backup" share={null} />
      <output>
        <ol className={classes.steps}>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
          {isPlacing && <li>The installation restarts with the restored data</li>}
        </ol>
      </output>
    </>
  )
}
