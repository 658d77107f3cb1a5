import type { WorkflowDefinitionOptions } from '@temporalio/common';
import { workflowInfo } from '@temporalio/workflow';
import { isShort } from '../domain/rules/may-wait.ts';

/**
 * A short run ends on the build that it began on; every other run moves to the newest build, with patches, as is the default of our workers
 * (docs/decisions/0015). Temporal refuses any word on this from a worker without a build.
 */
export function pinnedIfShort(): WorkflowDefinitionOptions {
  const { currentDeploymentVersion: build, memo } = workflowInfo();
  return build?.deploymentName && isShort(memo) ? { versioningBehavior: 'PINNED' } : {};
}
