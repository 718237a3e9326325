"""Words of `quiz grade --all --dask`."""

WORDS: dict[str, tuple[str, str]] = {
    "batch.no-distributed": (
        "--dask needs the package distributed, which is not installed",
        "--dask 需要 distributed 包，但它没有安装",
    ),
    "batch.no-distributed.hint": (
        "install it: pip install 'gpu-quiz[cluster]'",
        "安装方法：pip install 'gpu-quiz[cluster]'",
    ),
    "batch.jobs-and-dask": (
        "--jobs is for this machine, --dask for a cluster",
        "--jobs 用于本机，--dask 用于集群",
    ),
    "batch.jobs-and-dask.hint": (
        "leave out --jobs: the threads of the cluster's workers decide",
        "请去掉 --jobs：由集群 worker 的线程数决定",
    ),
    "batch.gpu-host-and-dask": (
        "--gpu-host is for this machine, --dask for a cluster",
        "--gpu-host 用于本机，--dask 用于集群",
    ),
    "batch.gpu-host-and-dask.hint": (
        "write --gpu: the cluster's workers with the resource GPU measure",
        "请写 --gpu：由集群中带有 GPU 资源的 worker 测量",
    ),
    "batch.no-gpu-workers": (
        "no worker of the cluster at {address} has the resource GPU",
        "{address} 处的集群没有带 GPU 资源的 worker",
    ),
    "batch.no-gpu-workers.hint": (
        "start one per GPU: dask worker ADDRESS --nthreads 1 --resources GPU=1",
        "请为每个 GPU 启动一个：dask worker 地址 --nthreads 1 --resources GPU=1",
    ),
    "batch.gpu-worker": (
        "the worker {worker} cannot use its GPU: {reason}",
        "worker {worker} 无法使用它的 GPU：{reason}",
    ),
    "batch.gpu-taken": (
        "fewer than {n} GPUs of the machine are free",
        "该机器上空闲的 GPU 少于 {n} 个",
    ),
    "batch.gpu-taken.one": (
        "no GPU of the machine is free",
        "该机器上没有空闲的 GPU",
    ),
    "batch.gpu-taken.hint": (
        "each GPU has one grader at a time: wait until the others end, or start fewer workers",
        "每个 GPU 同时只能有一个评判进程：请等其他评判结束，或减少 worker",
    ),
    "batch.gpu-unusable": (
        "GPU {device}: {reason}",
        "GPU {device}：{reason}",
    ),
    "batch.gpu-unusable.hint": (
        "repair it, or leave it out: CUDA_VISIBLE_DEVICES lists those to use",
        "请修复它，或用 CUDA_VISIBLE_DEVICES 列出要使用的 GPU",
    ),
    "batch.gpu-ended": (
        "its process {how}",
        "它的进程{how}",
    ),
    "batch.connecting": (
        "connecting to the Dask scheduler at {address}, for at most {seconds:g} s…",
        "正在连接位于 {address} 的 Dask scheduler，最多 {seconds:g} 秒……",
    ),
    "batch.not-a-scheduler-file": (
        "it is not a file that a Dask scheduler wrote",
        "它不是 Dask scheduler 写的文件",
    ),
    "batch.silent-scheduler": (
        "nothing came within {seconds:g} seconds",
        "{seconds:g} 秒内没有任何回应",
    ),
    "batch.no-scheduler": (
        "no Dask scheduler answers at {address}: {reason}",
        "{address} 处没有 Dask scheduler 响应：{reason}",
    ),
    "batch.no-scheduler.hint": (
        "start one with `dask scheduler`, and name the address that it prints",
        "用 `dask scheduler` 启动一个，并使用它输出的地址",
    ),
    "batch.no-workers": (
        "the Dask scheduler at {address} has no workers",
        "{address} 处的 Dask scheduler 没有 worker",
    ),
    "batch.no-workers.hint": (
        "start some, for example with `dask worker ADDRESS`",
        "请启动 worker，例如用 `dask worker 地址`",
    ),
    "batch.quiz-missing": (
        "{n} processes of the cluster cannot load this version of quiz: {where} ({reason})",
        "集群中有 {n} 个进程无法加载此版本的 quiz：{where}（{reason}）",
    ),
    "batch.quiz-missing.one": (
        "one process of the cluster cannot load this version of quiz: {where} ({reason})",
        "集群中有一个进程无法加载此版本的 quiz：{where}（{reason}）",
    ),
    "batch.quiz-missing.hint": (
        "install the same version of quiz where the scheduler and the workers run",
        "请在 scheduler 和 worker 运行的环境中安装同一版本的 quiz",
    ),
    "batch.quiz-differs": (
        "{n} processes of the cluster have another quiz: {where} ({there}; here {here})",
        "集群中有 {n} 个进程的 quiz 版本不同：{where}（{there}；本机 {here}）",
    ),
    "batch.quiz-differs.one": (
        "one process of the cluster has another quiz: {where} ({there}; here {here})",
        "集群中有一个进程的 quiz 版本不同：{where}（{there}；本机 {here}）",
    ),
    "batch.quiz-differs.hint": (
        "install the same version everywhere, and start those processes again",
        "请在各处安装同一版本，并重启这些进程",
    ),
    "batch.workers-lost": (
        "the Dask workers that graded it were lost {tries} times",
        "评判它的 Dask worker 丢失了 {tries} 次",
    ),
    "batch.workers-gone": (
        "the cluster has had no workers for {seconds:g} seconds",
        "集群已有 {seconds:g} 秒没有 worker",
    ),
    "batch.workers-gone.hint": (
        "the results are kept: start workers, then repeat the command with --resume",
        "结果已保留：请启动 worker，再加上 --resume 重新运行",
    ),
    "batch.cluster-lost": (
        "the connection to the Dask scheduler at {address} was lost",
        "与 {address} 处 Dask scheduler 的连接已断开",
    ),
    "batch.cluster-lost.hint": (
        "the results are kept: repeat the command with --resume once it is back",
        "结果已保留：恢复后请加上 --resume 重新运行",
    ),
    "batch.cluster-failed": (
        "the cluster failed: {reason}",
        "集群出错：{reason}",
    ),
    "batch.cluster-failed.hint": (
        "the results are kept: once that is fixed, repeat the command with --resume",
        "结果已保留：修复后请加上 --resume 重新运行",
    ),
}
