import { NativeSelect, Stack } from '@mantine/core'
import { useState } from 'react'

import { CopyableCode } from '../../components/layout/copyable-code'
import { listFeedExamples } from './feed-examples'

import classes from './feed-address-card.module.css'

/** An example of reading the address with a program of the user's choice. */
export function HowToRead({ url }: { url: string }) {
  const [chosen, setChosen] = useState('curl')
  const examples = listFeedExamples(url)
  const example = examples.find(({ program }) => program === chosen)
  if (!example) return null
  return (
    <Stack gap={10}>
      <NativeSelect
        label="Read it with"
        maw={260}
        data={examples.map(({ program }) => program)}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
      />
      <p className={classes.note}>{example.note}</p>
      <CopyableCode code={example.code} label={`the example for ${chosen}`} />
    </Stack>
  )
}
