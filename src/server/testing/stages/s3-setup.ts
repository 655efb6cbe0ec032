import type { TestProject } from 'vitest/node'

import { createTestBucket, startS3Server } from '../servers/s3-server'

declare module 'vitest' {
  interface ProvidedContext {
    /** A bucket of an S3 server, in a run of tests whose files are in one. */
    bucketPlace?: Awaited<ReturnType<typeof createTestBucket>>
  }
}

/** Starts an S3 server for all tests of a run, with a bucket. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startS3Server()
  project.provide('bucketPlace', await createTestBucket(server))
  return () => server.close()
}
